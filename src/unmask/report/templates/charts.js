for (const data of document.querySelectorAll('script[id^="spec-"]')) {
  const name = data.id.slice("spec-".length);
  const place = document.getElementById("chart-" + name);
  const still = [...place.childNodes];
  vegaEmbed(place, JSON.parse(data.textContent), {
    mode: "vega-lite",
    renderer: "svg",
    ast: true,
    // The page's policy admits no style but its own, which has what these would bring.
    defaultStyle: false,
    forceActionsMenu: true,
    downloadFileName: "unmask-" + name,
    actions: { export: true, source: false, compiled: false, editor: false },
    tooltip: { disableDefaultStyle: true },
  }).then(() => place.classList.remove("still"), () => { place.replaceChildren(...still); });
}
