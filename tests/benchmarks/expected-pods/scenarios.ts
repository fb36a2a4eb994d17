// npm run bench:expected-pods:scenarios [-- --only NAME]: plans the pods of each recorded scenario in 2 to 5 parts, without and with expected
// pods, and compares nodes and price with the plan of all pods. In `by-owner`, the first part has pods of every owner and all pods without
// an owner, so expected pods can include every later pod. In `interleaved`, each part has every second to fifth pod, so the only pod of an
// owner may be in a later part. In `sequential`, owners follow each other. Fails if the mean of `by-owner` with expected pods exceeds a target.
import { controllerOwner, type Pod } from '@kerf/apis'
import { schedule } from '@kerf/engine'
import { loadSnapshot } from '../../../packages/cli/src/plan/load-snapshot.ts'
import { programOptions } from '../../../tools/program-options.ts'
import { scenarios } from '../../integration/scenarios-check/scenario.ts'
import { CutArrivals, type Purchase } from './cut-arrivals.ts'

const { values } = programOptions('npm run bench:expected-pods:scenarios: plans of pods that arrive in parts.', {
  options: { only: { type: 'string', default: '' }, largest: { type: 'string', default: '1000' } },
})
const PARTS = [2, 3, 4, 5]
const SEVERAL_NODES = 5
const TARGET = { cut: 'by-owner on', cost: 1.01, nodes: 1.05 } as const

/** Divides the pods of each owner evenly. Pods without an owner are in the first part. */
const byOwner = (pods: readonly Pod[], parts: number): readonly (readonly Pod[])[] => {
  const divided: Pod[][] = Array.from({ length: parts }, () => [])
  const [first = []] = divided
  const owners = Map.groupBy(pods, (pod) => controllerOwner(pod)?.uid)
  for (const [owner, own] of owners)
    own.forEach((pod, index) => {
      const part = owner === undefined ? first : divided[Math.floor((index * parts) / own.length)]
      part?.push(pod)
    })
  return divided
}

const cuts: Readonly<Record<string, (pods: readonly Pod[], parts: number) => readonly (readonly Pod[])[]>> = {
  'by-owner': byOwner,
  interleaved: (pods, parts) =>
    Array.from({ length: parts }, (_, part) => pods.filter((_pod, index) => index % parts === part)),
  sequential: (pods, parts) => {
    const size = Math.ceil(pods.length / parts)
    return Array.from({ length: parts }, (_, part) => pods.slice(part * size, (part + 1) * size))
  },
}

interface Ratio {
  readonly cost: number
  readonly nodes: number
  readonly isLarge: boolean
}
const all = new Map<string, Ratio[]>()
const geometricMean = (ratios: readonly number[]): number =>
  Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / Math.max(1, ratios.length))

for (const { name, clusterFile, catalogueFile } of scenarios()) {
  if (!name.includes(values.only)) continue
  const loaded = await loadSnapshot([clusterFile], catalogueFile)
  const { pending, snapshot, options } = loaded
  if (pending.length > Number(values.largest)) continue
  const plan = schedule(snapshot, pending, options)
  const whole = plan.claims.reduce((sum, { cheapest }) => sum + (cheapest.price ?? Number.NaN), 0)
  if (plan.claims.length === 0) continue
  const texts: string[] = []
  for (const [cut, divide] of Object.entries(cuts)) {
    for (const expects of [false, true]) {
      const ratios = PARTS.map((parts): Ratio & Purchase => {
        const run = new CutArrivals(loaded, pending, expects)
        for (const part of divide(pending, parts)) run.arrive(part)
        const { purchase } = run
        return {
          ...purchase,
          cost: purchase.hourlyCost / whole,
          nodes: purchase.nodes / plan.claims.length,
          isLarge: plan.claims.length >= SEVERAL_NODES && purchase.unschedulable === plan.unschedulable.length,
        }
      })
      const key = `${cut} ${expects ? 'on' : 'off'}`
      all.set(key, [...(all.get(key) ?? []), ...ratios])
      texts.push(
        `${key} ${Math.max(...ratios.map(({ cost }) => cost)).toFixed(3)} ${Math.max(...ratios.map(({ nodes }) => nodes)).toFixed(2)}`,
      )
    }
  }
  process.stdout.write(`${name}: ${plan.claims.length} nodes; at most cost and nodes: ${texts.join('; ')}\n`)
}
for (const [key, ratios] of all) {
  const costs = ratios.map(({ cost }) => cost)
  const large = ratios.filter(({ isLarge }) => isLarge)
  process.stdout.write(
    `${key}: cost mean ${geometricMean(costs).toFixed(4)}, worst ${Math.max(...costs).toFixed(3)}; nodes mean ${geometricMean(ratios.map(({ nodes }) => nodes)).toFixed(4)}; of ${large.length} runs with five or more nodes: cost ${geometricMean(large.map(({ cost }) => cost)).toFixed(4)}, nodes ${geometricMean(large.map(({ nodes }) => nodes)).toFixed(4)}\n`,
  )
}
const reached = all.get(TARGET.cut) ?? []
const mean = (pick: (ratio: Ratio) => number): number => geometricMean(reached.map(pick))
if (mean(({ cost }) => cost) > TARGET.cost || mean(({ nodes }) => nodes) > TARGET.nodes) {
  process.exitCode = 1
  process.stdout.write(
    `missed: at most ${TARGET.cost} times the cost and ${TARGET.nodes} times the nodes with ${TARGET.cut}\n`,
  )
}
