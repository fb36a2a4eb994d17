import { readFileSync } from 'node:fs'
import { coreEvents } from '@kerf/apis'
import { blockerCatalogue, reasonCatalogue } from '@kerf/engine'
import type { MetricDefinition } from '@kerf/runtime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultProvider, providerNamed, providers } from '../../../packages/cli/src/providers.ts'
import { runSettings } from '../../../packages/cli/src/run/run-settings.ts'
import { eventSchemas, traceSchema } from '../../../packages/cli/src/simulate/trace.ts'
import { metricsWith } from '../../../tools/generators/metrics.ts'
import { benchKeys } from './bench-keys.ts'
import { commandLine } from './command-line.ts'
import { jsonDocuments } from './documents.ts'
import { keyPaths } from './key-paths.ts'
import { surfaces } from './provider-surface.ts'
import { metricLines, publishedMetrics, type RunningKerfs, routeLines, startKerfs } from './running.ts'

const text = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const code = (lines: readonly string[]): string => ['```', ...lines, '```'].join('\n')

/** Metrics that these tests cannot show, because their Kerfs run in the test's process, call the API in memory, and hold no Lease. */
const OF_THE_PROCESS =
  /^(client_go|leader_election|kerf_clock)_|^(karpenter_build_info|kerf_unforeseen_errors_total|kerf_api_connections_silent_total|kerf_events_not_written_total|kerf_writes_refused_without_lease_total|kerf_other_controller_leases|kerf_event_loop_(delay_seconds|gc_\w+))$/

let kerfs: RunningKerfs
beforeAll(async () => {
  kerfs = await startKerfs()
})
afterAll(() => kerfs.stop())

const settings = (): readonly string[] =>
  Object.values(runSettings).flatMap(({ flag, env }) =>
    flag === undefined ? [] : [`- \`--${flag}\`${env === undefined ? '' : `, \`${env}\``}`],
  )
const errorCodes = (): readonly string[] =>
  [...text('docs/reference/errors.md').matchAll(/^### (\S+)$/gm)].map(([, each]) => `- ${each}`)
const reasonCodes = (catalogue: object): readonly string[] =>
  Object.keys(catalogue)
    .sort()
    .map((each) => `- ${each}`)
const recordings = (): readonly string[] => [
  ...Object.keys(traceSchema.properties).map((key) => `${key}`),
  ...Object.keys(traceSchema.properties.recording.properties).map((key) => `recording.${key}`),
  ...Object.entries(eventSchemas).flatMap(([event, { properties }]) =>
    Object.keys((properties as Record<string, { properties?: object }>)[event]?.properties ?? {}).map(
      (key) => `events[].${event}.${key}`,
    ),
  ),
]

/** The interface that users' scripts, dashboards and manifests depend on. A change here is a change for users. */
test('the public surface equals the list in surface.md', async () => {
  const documents = (await jsonDocuments()).map(({ title, printed, maps }) => {
    const keys = new Set(printed.flatMap((each) => keyPaths(each, new Set(maps))))
    return `### ${title}\n\n${code([...keys].sort())}\n`
  })
  const page = `# Public surface

<!-- Written by tests/integration/surface/surface.test.ts: npx vitest run tests/integration/surface -u -->

Scripts, dashboards and alerts may rely on the names on this page. A test compares the page with the program. If a name changes, the old
name remains as an alias, and [CHANGELOG.md](../../../CHANGELOG.md) mentions the change.

Other pages list [labels and annotations](../../../docs/reference/labels.md), [settings with their
meaning](../../../docs/reference/settings.md), [errors with their remedies](../../../docs/reference/errors.md) and [chart
values](../../../docs/reference/chart-values.md). Each custom resource also has a reference page, for example
[NodePool](../../../docs/reference/nodepool.md).

## Command line

Every command ends with exit code 0 if it succeeds, 1 if it fails, and 2 if its arguments are wrong. Other exit codes are listed with the
command.

${(await commandLine()).join('\n')}
## Settings of kerf run

Each is a flag and an environment variable.

${settings().join('\n')}

## Keys of JSON output

${documents.join('\n')}
## Keys of trace files and recordings

${code(recordings())}

## Keys of the benches’ JSON output

${benchKeys()
  .map(({ command, keys }) => `### ${command}\n\n${code(keys)}\n`)
  .join('\n')}
## Routes of the controller

The metrics port serves \`/metrics\`, the routes below and, with \`--enable-profiling\`, \`/debug/pprof/…\`. The health probe port serves
\`/healthz\` and \`/readyz\`.

${(await routeLines(kerfs)).join('\n')}
## Error codes

${errorCodes().join('\n')}

## Reason codes

[The reference](../../../docs/reference/reasons.md) explains the codes. These codes appear in \`kerf plan\`, \`kerf explain\` and
\`/kerf/v1/decisions\`, as reasons of pending pods and rejected options:

${reasonCodes(reasonCatalogue).join('\n')}

These codes appear in \`kerf explain node\` and \`/kerf/v1/nodes/<name>\`, as reasons of nodes that are not disrupted:

${reasonCodes(blockerCatalogue).join('\n')}

## Event reasons

[What they mean](../../../docs/reference/events.md).

${reasonCodes(Object.assign({}, coreEvents, ...providers.map(({ events }) => events.definitions))).join('\n')}

## Metrics

${metricLines(kerfs).join('\n')}
`
  await expect(page).toMatchFileSnapshot('surface.md')
})

const named = (definitions: readonly MetricDefinition[]) =>
  Object.fromEntries(
    definitions.map(({ name, type, labels = [], help }) => [name, { type, labels: [...labels].sort(), help }]),
  )

const running = [defaultProvider, ...surfaces.map(({ provider }) => provider)]

test.each(running)('%s: every metric that a running Kerf publishes is declared', async (provider) => {
  const catalogue = named(await metricsWith(providerNamed(provider)))
  const published = publishedMetrics(kerfs.metricsOfProviders.get(provider) ?? kerfs.harness.metrics)
  expect(Object.keys(published).length).toBeGreaterThan(80)
  expect(published).toEqual(Object.fromEntries(Object.keys(published).map((name) => [name, catalogue[name]])))
})

test('every declared metric is published, except those of the process and its connections', async () => {
  const metrics = [kerfs.harness.metrics, ...kerfs.metricsOfProviders.values()]
  const published = new Set(metrics.flatMap((each) => Object.keys(publishedMetrics(each))))
  const declared = (await Promise.all(running.map((name) => metricsWith(providerNamed(name))))).flat()
  const ofTheProcess = [OF_THE_PROCESS, ...surfaces.map((surface) => surface.ofTheProcess)]
  const missing = declared.filter(({ name }) => !published.has(name) && !ofTheProcess.some((each) => each.test(name)))
  expect(missing).toEqual([])
})
