import { CliError } from '@kerf/provider-kit/command-line'
import { styleFor } from '@kerf/provider-kit/terminal'
import { type Clock, SystemClock } from '@kerf/runtime'
import { stringify } from 'yaml'
import { overlayNote } from '../cluster/gated-objects.ts'
import { foreignPricesNote, typesPriceMark } from '../cluster/opened-types.ts'
import { type ClusterSource, loadCluster } from '../plan/load-cluster.ts'
import { explainLoaded } from '../plan/observed-cluster.ts'
import type { PlanStreams } from '../plan/run-plan.ts'
import { ProgressLine } from '../terminal/progress-line.ts'
import { nodeDocument, nodeReport } from './node-report.ts'

export interface ExplainNodeOptions extends ClusterSource {
  readonly output: 'table' | 'json' | 'yaml'
  /** Whether the Kerf in the cluster has the feature gate SpotToSpotConsolidation enabled. */
  readonly spotToSpot?: boolean
}

/**
 * Runs `kerf explain node`. Returns 0 if the node is being disrupted or would be in the next pass, 3 if it is kept. Changes
 * nothing.
 */
export const runExplainNode = async (
  name: string,
  options: ExplainNodeOptions,
  streams: PlanStreams,
  clock: Clock = new SystemClock(),
): Promise<0 | 3> => {
  const progress = new ProgressLine(streams.stderr)
  const loaded = await loadCluster(options, streams.env, (line) => progress.show(line))
  progress.show(`explaining ${name}`)
  const explanation = await explainLoaded(loaded, name, clock, { spotToSpot: options.spotToSpot ?? false })
  progress.clear()
  if (explanation === undefined) {
    throw new CliError(`no Node, and no NodeClaim with an instance, is named ${name}; see: kubectl get nodes`)
  }
  const note = overlayNote(loaded.manifests)
  for (const line of [...loaded.notes, foreignPricesNote(loaded.opened), note])
    if (line !== undefined) streams.stderr.write(`${line}\n`)
  const document = nodeDocument(explanation)
  switch (options.output) {
    case 'table':
      streams.stdout.write(
        nodeReport(explanation, styleFor(streams.stdout, streams.env), typesPriceMark(loaded.opened)),
      )
      break
    case 'json':
      streams.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
      break
    case 'yaml':
      streams.stdout.write(stringify(document, { aliasDuplicateObjects: false, compat: 'yaml-1.1' }))
  }
  return document.disrupted ? 0 : 3
}
