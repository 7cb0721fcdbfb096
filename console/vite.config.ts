import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The api that the development server passes requests on to. */
const api = 'http://127.0.0.1:8080';

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react(), tailwindcss()],
  build: {
    // Browsers that know light-dark() and Web Locks.
    target: ['chrome123', 'firefox121', 'safari17.5'],
    // The policy of the page allows no data: URL but for images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { '/console/api': api, '/about': api, '/docs': api, '/approvals': api } },
});
