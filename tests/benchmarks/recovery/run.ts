/**
 * `npm run bench:recovery [-- --autoscaler kerf --autoscaler NAME=COMMAND --only silence]`: disturbs autoscalers that support Karpenter's
 * API, and measures how soon a pending pod gets its NodeClaim. README.md explains the disturbances.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programOptions, refuseOptions } from '../../../tools/program-options.ts'
import { installKerf, parseAutoscaler } from '../beside/autoscaler.ts'
import { disturbances, type Recovery } from './disturbances.ts'
import { DisturbedCluster } from './disturbed-cluster.ts'

const { values } = programOptions(
  'npm run bench:recovery: how soon autoscalers work again after a disturbance, each on a real control plane of its own.',
  {
    options: {
      autoscaler: { type: 'string', multiple: true, default: ['kerf'] },
      only: { type: 'string', multiple: true, default: [] },
    },
  },
)

const known = disturbances.map(({ name }) => name)
const unknown = values.only.find((name) => !known.includes(name))
if (unknown !== undefined) refuseOptions(`--only ${unknown}: give ${known.join(', ')}`)
const chosen = disturbances.filter(({ name }) => values.only.length === 0 || values.only.includes(name))

const told = ({ seconds, restarts, lateWrites }: Recovery): string =>
  [
    seconds === undefined ? 'never' : `${seconds.toFixed(1)} s`,
    ...(restarts > 0 ? [`${restarts} restarts`] : []),
    ...(lateWrites === undefined ? [] : [`${lateWrites} writes after it went on`]),
  ].join(', ')

const directory = mkdtempSync(join(tmpdir(), 'kerf-recovery-'))
try {
  const kerf = values.autoscaler.includes('kerf') ? await installKerf(directory) : undefined
  for (const { name, title, run } of chosen)
    for (const autoscaler of values.autoscaler.map((text) => parseAutoscaler(text, kerf))) {
      const cluster = await DisturbedCluster.open()
      try {
        console.log(`${name} (${title}): ${autoscaler.name}: ${told(await run(cluster, autoscaler))}`)
      } finally {
        await cluster.close()
      }
    }
} finally {
  rmSync(directory, { recursive: true, force: true })
}
