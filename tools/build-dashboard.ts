// npm run build:dashboard: builds in advance what `kerf dashboard` and the browser tests build on first use: the toolchain, the frontend
// and the plugin.
import { buildDashboard } from '@kerf/dashboard'

await buildDashboard({ progress: (line) => process.stderr.write(`${line} …\n`) })
