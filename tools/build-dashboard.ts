// npm run build:dashboard: builds what `kerf dashboard` and the browser tests otherwise build on first use: toolchain, frontend, plugin.
import { buildDashboard } from '@kerf/dashboard'

await buildDashboard({ progress: (line) => process.stderr.write(`${line} …\n`) })
