// npm run pictures [-- NAME …]: takes the pictures of the documentation from a cluster after a simulated day. Needs Chromium and
// Prometheus.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { takeDashboardPictures } from './pictures/dashboard-pictures.ts'
import { openDayCluster } from './pictures/day-cluster.ts'
import { startHistory } from './pictures/history.ts'
import { takeTerminalPictures } from './pictures/terminal-pictures.ts'
import { root } from './source-files.ts'

const asked = process.argv.slice(2)
const wanted = (name: string): boolean => asked.length === 0 || asked.includes(name)
const print = (line: string): void => void process.stderr.write(`${line}\n`)

const terminal = join(root, 'docs', 'images', 'terminal')
const dashboard = join(root, 'docs', 'images', 'dashboard')
for (const directory of [terminal, dashboard]) mkdirSync(directory, { recursive: true })
const scratch = mkdtempSync(join(tmpdir(), 'kerf-pictures-'))
const cluster = await openDayCluster(Date.now(), print)
try {
  await takeTerminalPictures(cluster, scratch, terminal, wanted, print)
  const history = await startHistory(cluster.scrapes)
  try {
    await takeDashboardPictures(cluster, history, dashboard, wanted, print)
  } finally {
    history.close()
  }
} finally {
  await cluster.close()
  rmSync(scratch, { recursive: true, force: true })
}
