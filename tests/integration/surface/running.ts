import { defaultControllerSettings } from '@kerf/controllers'
import { createPendingPods, createPool, Harness } from '@kerf/controllers/testing'
import type { PrometheusMetrics } from '@kerf/runtime'
import { listHelpTexts, metricFamilies } from '../facts/registered-metrics.ts'
import { keyPaths } from './key-paths.ts'
import { surfaces } from './provider-surface.ts'

const MINUTE = 60_000

/**
 * A Kerf with every feature gate enabled, and another Kerf for each provider that adds to the public surface. Each of them has launched a
 * node.
 */
export interface RunningKerfs {
  readonly harness: Harness
  /** The metrics of the providers' Kerfs, by provider. */
  readonly metricsOfProviders: ReadonlyMap<string, PrometheusMetrics>
  stop(): Promise<void>
}

export const startKerfs = async (): Promise<RunningKerfs> => {
  const featureGates = Object.fromEntries(
    Object.keys(defaultControllerSettings.featureGates).map((gate) => [gate, true]),
  ) as unknown as typeof defaultControllerSettings.featureGates
  const harness = await Harness.create({ cluster: 'whole', settings: { featureGates, planExpectedPods: 'on' } })
  await createPool(harness)
  await createPendingPods(harness, 3)
  await harness.pass(MINUTE)
  const others = await Promise.all(surfaces.map(async ({ provider, start }) => ({ provider, running: await start() })))
  return {
    harness,
    metricsOfProviders: new Map(others.map(({ provider, running }) => [provider, running.metrics])),
    stop: async () => {
      await harness.stop()
      await Promise.all(others.map(({ running }) => running.close()))
    },
  }
}

/** Returns every metric family: name, type and labels. */
export const metricLines = ({ harness, metricsOfProviders }: RunningKerfs): readonly string[] =>
  Object.entries(
    Object.fromEntries(
      [...metricsOfProviders.values(), harness.metrics].flatMap((each) => Object.entries(metricFamilies(each))),
    ),
  )
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { type, labels }]) => `- \`${name}\` ${type}${labels.length === 0 ? '' : ` {${labels.join(', ')}}`}`)

/** Returns the metrics of a registry by name, with sorted labels. */
export const publishedMetrics = (metrics: PrometheusMetrics) => {
  const help = new Map(listHelpTexts(metrics))
  return Object.fromEntries(
    Object.entries(metricFamilies(metrics)).map(([name, { type, labels }]) => [
      name,
      { type, labels, help: help.get(name) },
    ]),
  )
}

/** Returns each path below `/kerf/v1` with the keys of its response. */
export const routeLines = async ({ harness }: RunningKerfs): Promise<readonly string[]> => {
  const [claim] = await harness.claims()
  const node = claim?.status?.nodeName ?? ''
  const routes = [
    ['/kerf/v1/version', '/kerf/v1/version', []],
    ['/kerf/v1/bound', '/kerf/v1/bound', []],
    [
      '/kerf/v1/instance-types',
      '/kerf/v1/instance-types (also /kerf/v1/catalogue)',
      ['pools', 'lists[][].capacity', 'lists[][].overhead'],
    ],
    ['/kerf/v1/decisions', '/kerf/v1/decisions', ['decisions[].reasons[].detail']],
    ['/kerf/v1/history', '/kerf/v1/history (also /kerf/v1/history/<NodePool>)', ['charts']],
    ['/kerf/v1/next', '/kerf/v1/next', []],
    [`/kerf/v1/nodes/${node}`, '/kerf/v1/nodes/<name>', []],
  ] as const
  const lines: string[] = []
  for (const [path, shown, maps] of routes) {
    const answer = await harness.kerf.respond(path, new AbortController().signal)
    if (answer === undefined) throw new Error(`${path} has no answer`)
    lines.push(`### ${shown}`, '', '```', ...keyPaths(JSON.parse(JSON.stringify(answer)), new Set(maps)), '```', '')
  }
  return lines
}
