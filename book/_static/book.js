document.addEventListener("DOMContentLoaded", () => {
  // Links to a figure's numbers download the file instead of showing it.
  for (const link of document.querySelectorAll("a.pc-data")) link.setAttribute("download", "");

  // A page links to its PDF where one was made; elsewhere it offers to print.
  for (const link of document.querySelectorAll("a.pc-pdf")) {
    const made = (window.planarcontactPdf || []).includes(link.dataset.page);
    link.hidden = !made;
    if (made) link.href = link.dataset.href;
    link.nextElementSibling.hidden = made;
  }
  for (const button of document.querySelectorAll("button.pc-print")) button.addEventListener("click", () => window.print());

  // The theme's arrows that unfold a chapter's sub-pages have no name of their own.
  for (const summary of document.querySelectorAll(".bd-sidebar-primary details > summary")) {
    const chapter = summary.closest("li")?.querySelector("a");
    if (chapter) summary.setAttribute("aria-label", `Pages of ${chapter.textContent.trim()}`);
  }

  // What is wider than its place scrolls there, also by keyboard.
  for (const box of document.querySelectorAll(".bd-content div.math, .bd-content pre, .bd-content .pst-scrollable-table-container")) {
    if (box.scrollWidth > box.clientWidth + 1 && !box.hasAttribute("tabindex")) box.setAttribute("tabindex", "0");
  }
});
// Folded parts are printed too.
window.addEventListener("beforeprint", () => {
  for (const box of document.querySelectorAll(".bd-content details:not(.pc-chapter details)")) box.open = true;
});
