import type { NodePool } from '@kerf/apis'
import { areCompatible } from '@kerf/provider-contract'
import { SystemClock } from '@kerf/runtime'
import { isStaticPool } from '../cluster/gated-objects.ts'
import { commitmentNotes } from '../plan/commitments.ts'
import { loadCluster, type ReadCluster } from '../plan/load-cluster.ts'
import type { PlannedPrices } from '../plan/price-book.ts'
import type { PlanStreams } from '../plan/run-plan.ts'
import { typesOfPools } from '../plan/types-of-pools.ts'
import { providerNamed, providerNames } from '../providers.ts'
import { ProgressLine } from '../terminal/progress-line.ts'
import { nodePoolsIn, type PolicyOptions, policiesIn } from './policy-options.ts'
import { policyProblems } from './policy-problems.ts'
import { poolPolicyProblems } from './pool-policy-problems.ts'
import type { LintedPriceBook } from './price-book-problems.ts'
import { repeatedPolicyProblems } from './repeated-policies.ts'

/** Returns the provider of the instance types. Returns undefined if they come from a file. */
const knownProvider = ({ opened }: Pick<ReadCluster, 'opened'>): ReturnType<typeof providerNamed> | undefined =>
  providerNames.includes(opened.source) ? providerNamed(opened.source) : undefined

/** Returns the price book with the prices of the cloud, which the snapshot does not have. */
const lintedPriceBook = ({ manifests, snapshot, opened }: ReadCluster, book: PlannedPrices): LintedPriceBook => {
  const { typesOf } = typesOfPools(
    manifests.map(({ object }) => object),
    opened,
  )
  return {
    spec: book.spec,
    book,
    types: [...new Set(snapshot.pools.flatMap(({ nodePool }) => typesOf(nodePool)))],
    allowed: [
      ...new Set(
        snapshot.pools.flatMap(({ nodePool }) =>
          typesOf(nodePool).filter(({ requirements }) =>
            areCompatible(nodePool.spec.template.spec.requirements, requirements),
          ),
        ),
      ),
    ],
    hasCloudPrices: knownProvider({ opened })?.capabilities.prices === 'current',
    now: new SystemClock().now(),
  }
}

/** Runs `kerf policy lint`. Returns 3 if it finds a problem, 0 otherwise. Changes nothing. */
export const runPolicyLint = async (options: PolicyOptions, streams: PlanStreams): Promise<0 | 3> => {
  const progress = new ProgressLine(streams.stderr)
  const loaded = await loadCluster(options, streams.env, (line) => progress.show(line))
  progress.clear()
  const { manifests, snapshot, ceilings, commitments, poolPolicies, notes, priceBook } = loaded
  for (const note of notes) streams.stderr.write(`${note}\n`)
  const staticPools = manifests.flatMap(({ object }) => (isStaticPool(object) ? [object as NodePool] : []))
  const problems = [
    ...repeatedPolicyProblems(loaded.policyDefinitions),
    ...policyProblems({
      policies: policiesIn(manifests),
      pools: snapshot.pools,
      staticPools,
      ceilings,
      commitments,
      sourceProblem: policiesIn(manifests).some(({ spec }) => spec?.commitmentSource?.configMap !== undefined)
        ? commitmentNotes(manifests.map(({ object }) => object))[0]
        : undefined,
      readsAccount: knownProvider(loaded)?.capabilities.accountCommitments === true,
      now: new SystemClock().now(),
      priceBook: priceBook === undefined ? undefined : lintedPriceBook(loaded, priceBook),
    }),
    ...poolPolicyProblems(poolPolicies, nodePoolsIn(manifests), snapshot.namespaces),
  ]
  if (options.output === 'json') streams.stdout.write(`${JSON.stringify({ problems }, null, 2)}\n`)
  else if (problems.length === 0) streams.stdout.write('no problems\n')
  else
    for (const { policy, problem, remedy } of problems)
      streams.stdout.write(`${policy}: ${problem}\n  remedy: ${remedy}\n`)
  return problems.length === 0 ? 0 : 3
}
