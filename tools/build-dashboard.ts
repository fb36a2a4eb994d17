// npm run build:dashboard: builds the toolchain, the frontend and the plugin in advance. Otherwise `kerf dashboard` and the browser tests
// build them on first use.
import { buildDashboard } from '@kerf/dashboard'

await buildDashboard({ progress: (line) => process.stderr.write(`${line} …\n`) })
