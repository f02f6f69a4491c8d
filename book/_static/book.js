// Links to a figure's numbers download the file instead of showing it.
document.addEventListener("DOMContentLoaded", () => {
  for (const link of document.querySelectorAll("a.pc-data")) link.setAttribute("download", "");
});
