// npm run bench:expected-pods [-- --only TEXT]: creates Deployments in an empty cluster, in virtual time, with PLAN_EXPECTED_PODS off and
// on. Prints when claims were created and pods were bound. Fails if `on` binds the last pod later, or costs more than 1.005 times as much.
import { programOptions } from '../../../tools/program-options.ts'
import { type ArrivalsResult, type ArrivalsRun, DEFAULT_RATE, runArrivals } from './arrivals-run.ts'

const MOST_COST = 1.005
const { values } = programOptions('npm run bench:expected-pods: nodes and pods with PLAN_EXPECTED_PODS off and on.', {
  options: { only: { type: 'string', default: '' } },
})

const SMALL = { cpu: '420m', instanceType: 'c-4x-amd64-linux' }
const RATES = [{ burst: 500, perSecond: 500 }, DEFAULT_RATE]
const runs = RATES.flatMap((rate) =>
  [10, 200, 1_000].flatMap((replicas) =>
    [{ cpu: '3500m' }, SMALL].map((pods): Omit<ArrivalsRun, 'planExpectedPods'> => ({ rate, replicas, ...pods })),
  ),
)

const WIDTHS = [34, 4, 7, 7, 7, 7, 7, 5, 9, 8, 6]
const print = (texts: readonly string[]): void => {
  process.stdout.write(`${texts.map((text, column) => text.padStart(WIDTHS[column] ?? 0)).join(' ')}\n`)
}
const seconds = (span: number): string => (span / 1_000).toFixed(1)
const cells = (result: ArrivalsResult): readonly string[] => [
  ...[result.firstClaim, result.mostClaims, result.lastClaim, result.medianBound, result.lastBound].map(seconds),
  ...[String(result.launched), result.hourlyCost.toFixed(3), result.cost.toFixed(3), String(result.passes)],
]

print(['replicas, per second, types', '', 'first', '90 %', 'last', 'median', 'bound', 'nodes', '$/h', '$', 'passes'])
for (const run of runs) {
  const name = `${run.replicas}, ${run.rate.perSecond}, ${run.instanceType ?? 'any'}`
  if (!name.includes(values.only)) continue
  const off = await runArrivals({ ...run, planExpectedPods: 'off' })
  print([name, 'off', ...cells(off)])
  const on = await runArrivals({ ...run, planExpectedPods: 'on' })
  print([name, 'on', ...cells(on)])
  if (on.lastBound > off.lastBound || on.hourlyCost > MOST_COST * off.hourlyCost) {
    process.exitCode = 1
    process.stdout.write('missed: with on, the last pod is bound later, or the nodes cost more\n')
  }
}
