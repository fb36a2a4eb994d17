import { karpenterKinds, type NodePool } from '@kerf/apis'
import { ceilingName, type PlannedCeilings } from '@kerf/controllers'
import { CliError } from '@kerf/provider-kit/command-line'
import { type Style, styleFor, table } from '@kerf/provider-kit/terminal'
import { stringify } from 'yaml'
import { overlayNote } from '../cluster/gated-objects.ts'
import { foreignPricesNote, typesPriceMark } from '../cluster/opened-types.ts'
import { type ClusterSource, loadCluster } from '../plan/load-cluster.ts'
import { nodePrices } from '../plan/node-prices.ts'
import type { PlanStreams } from '../plan/run-plan.ts'
import { counted } from '../terminal/amounts.ts'
import { type PriceMark, perHour } from '../terminal/money.ts'
import { ProgressLine } from '../terminal/progress-line.ts'
import { type PoolDocument, poolDocument } from './pool-document.ts'

export interface ExplainPoolOptions extends ClusterSource {
  readonly output: 'text' | 'json' | 'yaml'
}

/** Returns why policies keep a NodePool from launching nodes. `sleepsUntil` is the end of the NodePool's scheduled sleep. */
const policyObstacles = (sleepsUntil: string | undefined, ceilings: PlannedCeilings | undefined): readonly string[] => [
  ...(sleepsUntil === undefined ? [] : [`it sleeps until ${sleepsUntil}`]),
  ...Array.from(ceilings?.use.free ?? [])
    .filter(([, free]) => free <= 0n)
    .map(([name]) => `the ceiling of the ClusterPolicy on ${ceilingName(name)} is reached`),
]

const poolReport = (document: PoolDocument, style: Style, mark: PriceMark): string => {
  const { nodePool, launches, obstacles, nodes, hourlyCost, limits, stages } = document
  const has = `${counted(nodes, 'node')}, ${perHour(hourlyCost, mark)}`
  const lines = [
    `${style('bold', `${nodePool} ${launches ? 'launches nodes for pods' : 'launches nothing for pods'}`)}  (${has})`,
    ...obstacles.map((obstacle) => `  ${obstacle}`),
  ]
  if (limits.length > 0) {
    const [head = '', ...rows] = table(
      limits,
      [
        { title: 'LIMIT', value: ({ resource }) => resource },
        { title: 'OF', value: ({ limit }) => limit, align: 'right' },
        { title: 'USED', value: ({ used }) => used, align: 'right' },
        { title: 'LEFT', value: ({ left }) => left, align: 'right' },
      ],
      style.width,
    )
    lines.push('', style('gray', head), ...rows)
  }
  const [head = '', ...rows] = table(
    stages,
    [
      {
        title: 'REQUIREMENT',
        value: ({ constraint }) => (constraint === 'offerings' ? '(all offerings)' : constraint),
      },
      { title: 'OFFERINGS LEFT', value: ({ offeringsLeft }) => String(offeringsLeft), align: 'right' },
    ],
    style.width,
  )
  return `${[...lines, '', style('gray', head), ...rows].join('\n')}\n`
}

/** Runs `kerf explain nodepool`. Returns 0 if the pool launches nodes for pods, 3 if it does not. Changes nothing. */
export const runExplainPool = async (
  name: string,
  options: ExplainPoolOptions,
  streams: PlanStreams,
): Promise<0 | 3> => {
  const progress = new ProgressLine(streams.stderr)
  const {
    snapshot,
    manifests,
    instanceTypes,
    opened,
    ceilings,
    notes,
    options: provided,
  } = await loadCluster(options, streams.env, (line) => progress.show(line))
  progress.clear()
  const pools = manifests.filter(({ object }) => object.kind === karpenterKinds.NodePool.kind)
  const found = pools.find(({ object }) => object.metadata.name === name)
  if (found === undefined) {
    const names = pools.map(({ object }) => object.metadata.name).join(', ')
    throw new CliError(
      `no NodePool is named ${name}; ${names === '' ? 'the cluster has none' : `existing NodePools: ${names}`}`,
    )
  }
  const offer = snapshot.pools.find(({ nodePool }) => nodePool.metadata.name === name)
  const document = poolDocument(
    found.object as NodePool,
    snapshot.nodes,
    offer?.instanceTypes ?? instanceTypes,
    provided.vocabulary,
    { priceOf: nodePrices(snapshot, instanceTypes), obstacles: policyObstacles(offer?.sleepsUntil, ceilings) },
  )
  for (const line of [...notes, foreignPricesNote(opened), overlayNote(manifests)])
    if (line !== undefined) streams.stderr.write(`${line}\n`)
  switch (options.output) {
    case 'text':
      streams.stdout.write(poolReport(document, styleFor(streams.stdout, streams.env), typesPriceMark(opened)))
      break
    case 'json':
      streams.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
      break
    case 'yaml':
      streams.stdout.write(stringify(document, { aliasDuplicateObjects: false, compat: 'yaml-1.1' }))
  }
  return document.launches ? 0 : 3
}
