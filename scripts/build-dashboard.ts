// npm run build:dashboard: what `kerf dashboard` and the browser's tests make on first use: toolchain, frontend, plugin.
import { buildDashboard } from '@kerf/dashboard'

await buildDashboard({ progress: (line) => process.stderr.write(`${line} …\n`) })
