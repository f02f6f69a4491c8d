// The pages that have a PDF. `make pdf` writes the names into the built book's copy of this file.
window.planarcontactPdf = [];
