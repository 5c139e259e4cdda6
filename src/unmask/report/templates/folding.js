// A link into a closed chapter opens it, and a printed page holds all chapters, whatever the browser does.
const reveal = (hash) => {
  const target = hash.length > 1 && document.getElementById(decodeURIComponent(hash.slice(1)));
  for (let fold = target && target.closest("details"); fold; fold = fold.parentElement.closest("details")) {
    fold.open = true;
  }
};
addEventListener("hashchange", () => reveal(location.hash));
addEventListener("click", (event) => {
  const link = event.target instanceof Element && event.target.closest('a[href^="#"]');
  if (link) reveal(link.hash);
});
reveal(location.hash);

let unfolded = [];
addEventListener("beforeprint", () => {
  unfolded = [...document.querySelectorAll("main details:not([open])")].filter((fold) => !fold.closest(".chart"));
  for (const fold of unfolded) fold.open = true;
});
addEventListener("afterprint", () => {
  for (const fold of unfolded) fold.open = false;
});
