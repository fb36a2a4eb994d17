/**
 * `npm run lab:cas -- --binary PATH`: runs Kerf and the real Cluster Autoscaler on one real control plane. The binary is built from
 * kubernetes/autoscaler at the tag cluster-autoscaler-1.36.1 (`go build -mod=mod -tags kwok` in its folder cluster-autoscaler). The lab
 * runs three times, for eight minutes each: with separate scopes, with only the delay annotation, and without a separation. 300 pods arrive
 * in waves. `npm run lab:cas -- --model --seeds 200` does the same with the model of Cluster Autoscaler in virtual time, with random waves
 * for each seed; `--from 101` starts with another seed. `--separation NAME` runs only one of the three.
 */
import type { KubeObject } from '@kerf/apis'
import { loadInstanceTypes } from '@kerf/provider-kwok'
import { type KubeClient, SeededRandom } from '@kerf/runtime'
import { Audit } from '../../../packages/cli/src/doctor/audit.ts'
import { cox002 } from '../../../packages/cli/src/doctor/checks/cox-002-served-by-both.ts'
import { auditFindings } from '../../../packages/cli/src/doctor/finding.ts'
import { knownTypes } from '../../../packages/cli/src/doctor/known-types.ts'
import { readCluster } from '../../../packages/cli/src/doctor/read-cluster.ts'
import { programOptions } from '../../../tools/program-options.ts'
import { type Separation, separations, WORKLOADS } from './lab-objects.ts'
import { openModelLab } from './model-lab.ts'
import { openRealLab } from './real-lab.ts'
import {
  drawTimeline,
  factsText,
  type LabFacts,
  problemsApart,
  problemsTogether,
  runLab,
  standardTimeline,
} from './run-lab.ts'

const { values } = programOptions(
  'npm run lab:cas -- --binary PATH: the real Cluster Autoscaler and Kerf on one real control plane; --model plays it with the model of Cluster Autoscaler in virtual time.',
  {
    options: {
      binary: { type: 'string' },
      model: { type: 'boolean', default: false },
      seeds: { type: 'string', default: '200' },
      from: { type: 'string', default: '1' },
      separation: { type: 'string', multiple: true, default: [...separations] },
    },
  },
)

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const chosen = separations.filter((name) => values.separation.includes(name))
if (chosen.length === 0) throw new Error(`--separation: give one of ${separations.join(', ')}`)

const problemsOf = (separation: Separation, facts: LabFacts): readonly string[] =>
  separation === 'none' ? problemsTogether(facts) : problemsApart(facts)

/** Returns doctor's findings about pods that both autoscalers would serve, before any pod exists. */
const doctorSays = async (client: KubeClient): Promise<readonly string[]> => {
  const { objects, unread } = await readCluster(client)
  const all: readonly KubeObject[] = objects
  const audit = new Audit({
    objects: all,
    now: Date.now(),
    source: { kind: 'cluster', unread },
    ...(await knownTypes(all, {})),
  })
  const [finding] = auditFindings(audit, [cox002])
  print(
    `  doctor, before the first pod: COX-002 ${finding?.status}: ${finding?.objects.join(', ') || 'nothing'} (${finding?.seen ?? ''})`,
  )
  return finding?.objects ?? []
}

const playReal = async (binary: string, separation: Separation): Promise<readonly string[]> => {
  let named: readonly string[] = []
  const cluster = await openRealLab(binary, separation, async (client) => {
    named = await doctorSays(client)
  })
  try {
    const facts = await runLab(cluster, standardTimeline)
    print(factsText(facts))
    const expected = separation === 'none' ? WORKLOADS.length : 0
    return [
      ...problemsOf(separation, facts),
      ...(named.length === expected ? [] : [`doctor named ${named.length} workloads, and not ${expected}`]),
    ]
  } finally {
    await cluster.close()
  }
}

/** The totals over all seeds, for one kind of separation. */
class Totals {
  readonly problems: string[] = []
  #seeds = 0
  #bursts = 0
  #twice = 0
  #pairs = 0
  #givenUp = 0
  #emptied = 0

  add(separation: Separation, seed: number, facts: LabFacts): void {
    this.#seeds++
    this.#bursts += facts.waves.length
    this.#twice += facts.boughtTwice
    this.#pairs += facts.pairs
    this.#givenUp += facts.givenUp
    this.#emptied += facts.emptied
    this.problems.push(...problemsOf(separation, facts).map((line) => `seed ${seed}: ${line}`))
  }

  text(): string {
    return `${this.#seeds} seeds, ${this.#bursts} bursts, ${this.#twice} bought twice (${this.#pairs} nodes of groups within a minute of a NodeClaim); ${this.#givenUp} nodes of Kerf given up with pods on them, after which ${this.#emptied} pods were put on nodes of groups; ${this.problems.length} problems`
  }
}

const SAY_EVERY = 25

const playModel = async (first: number, seeds: number): Promise<readonly string[]> => {
  const last = first + seeds - 1
  const instanceTypes = await loadInstanceTypes()
  const totals = new Map(chosen.map((separation) => [separation, new Totals()]))
  for (let seed = first; seed <= last; seed++) {
    for (const [separation, total] of totals) {
      const cluster = await openModelLab({ separation, foreignNodes: 'ignore', seed, instanceTypes })
      try {
        total.add(separation, seed, await runLab(cluster, drawTimeline(new SeededRandom(seed))))
      } finally {
        await cluster.close()
      }
    }
    if (seed % SAY_EVERY === 0 || seed === last)
      for (const [separation, total] of totals) print(`${separation}: ${total.text()}`)
  }
  return [...totals].flatMap(([separation, { problems }]) => problems.map((line) => `${separation}: ${line}`))
}

const playAll = async (): Promise<readonly string[]> => {
  if (values.model) return await playModel(Number(values.from), Number(values.seeds))
  const { binary } = values
  if (binary === undefined)
    throw new Error('give --binary PATH of a Cluster Autoscaler that was built with -tags kwok, or --model')
  const problems: string[] = []
  for (const separation of chosen) {
    print(`${separation}:`)
    problems.push(...(await playReal(binary, separation)).map((line) => `${separation}: ${line}`))
  }
  return problems
}

const problems = await playAll()
for (const line of problems) print(`WRONG: ${line}`)
process.exitCode = problems.length === 0 ? 0 : 1
