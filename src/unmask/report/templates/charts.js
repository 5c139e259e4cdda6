// A chart is drawn when it comes into view, and the page has been painted. The libraries, most of the page's
// bytes, are read by then and no sooner; until then, and without scripts, its still image stands there.
// A page of a server names their address, a page in one file holds them.
let loading;
const library = () => loading ??= new Promise((ready, failed) => {
  performance.mark("unmask-charts");
  const script = document.createElement("script");
  const held = document.getElementById("libraries");
  if (held) script.textContent = held.textContent;
  else Object.assign(script, { src: document.getElementById("drawing").dataset.libraries, onload: ready, onerror: failed });
  document.head.append(script);
  if (held) ready();
});

const drawn = (place, label) => {
  place.classList.remove("still");
  // What is an image has no parts: the menu that saves it must not stand inside.
  place.removeAttribute("role");
  place.removeAttribute("aria-label");
  const picture = place.querySelector(".chart-wrapper");
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", label);
  picture.querySelector("svg").setAttribute("aria-hidden", "true");
  place.querySelector("summary").setAttribute("aria-label", "Save this chart");
};

const draw = (place) => {
  const name = place.id.slice("chart-".length);
  const still = [...place.childNodes];
  const label = place.getAttribute("aria-label");
  const choices = document.getElementById("choices-" + name);
  library().then(() => vegaEmbed(place, JSON.parse(document.getElementById("spec-" + name).textContent), {
    mode: "vega-lite",
    renderer: "svg",
    ast: true,
    // The page's policy admits no style but its own, which has what these would bring.
    defaultStyle: false,
    forceActionsMenu: true,
    downloadFileName: "unmask-" + name,
    actions: { export: true, source: false, compiled: false, editor: false },
    tooltip: { disableDefaultStyle: true },
    // What a reader chooses by stands outside of the image, where keys and screen readers find it.
    ...(choices ? { bind: choices } : {}),
  })).then(() => drawn(place, label), () => { place.replaceChildren(...still); });
};

const seen = new IntersectionObserver((entries) => {
  for (const { target } of entries.filter((entry) => entry.isIntersecting)) {
    seen.unobserve(target);
    draw(target);
  }
}, { rootMargin: "200px" });
new PerformanceObserver((entries, painted) => {
  if (!entries.getEntriesByName("first-contentful-paint").length) return;
  painted.disconnect();
  for (const place of document.querySelectorAll(".chart.still")) seen.observe(place);
}).observe({ type: "paint", buffered: true });
