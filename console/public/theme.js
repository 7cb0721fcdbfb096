// Before the first paint, so that no other theme flashes. A file, because this page allows no inline script.
try {
  const theme = localStorage.getItem('sb-theme');
  if (theme) document.documentElement.dataset.theme = theme;
} catch {}
