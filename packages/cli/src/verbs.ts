import { InvariantError } from '@kerf/apis'
import { providerVerbs } from './provider-verbs.ts'
import type { Verb } from './verb.ts'

interface ListedVerb extends Verb {
  /** Loads the verb from its own module. */
  load?(): Promise<Verb>
}

/** A verb whose flags are declared only when somebody runs it, because its modules take longer to load than all of `kerf --help`. */
const lazily = (name: string, summary: string, load: () => Promise<Verb>): ListedVerb => ({
  name,
  summary,
  load,
  register: async (program) => (await load()).register(program),
})

/** A verb of a provider. Only the module of this provider is loaded, not the descriptors. */
const providerVerb = ({ name, summary, load }: (typeof providerVerbs)[number]): ListedVerb =>
  lazily(name, summary, async () => {
    const [verbs, { verbTools }] = await Promise.all([load(), import('./verb-tools.ts')])
    const own = verbs.find((each) => each.name === name)
    if (own === undefined)
      throw new InvariantError(`provider-verbs.ts is out of date: no provider has the verb ${name}`)
    const build = await own.load(verbTools())
    return { name, summary, register: (program) => build(program.command(name).description(summary)) }
  })

/** Every verb, in the order of `kerf --help`. `verbs.test.ts` checks that names and summaries are those of the verbs. */
export const verbs: readonly ListedVerb[] = [
  lazily(
    'up',
    'starts a cluster with Kerf in this terminal, and shows how pods get their nodes',
    async () => (await import('./up/verb.ts')).up,
  ),
  lazily(
    'run',
    'run the autoscaler against a cluster, as the container image does',
    async () => (await import('./run/verb.ts')).run,
  ),
  lazily(
    'plan',
    'what Kerf would launch for pending pods, from files or a live cluster; changes nothing',
    async () => (await import('./plan/verb.ts')).plan,
  ),
  lazily(
    'explain',
    'why a pod is pending or got its node, why a node is kept, and what would change it; from files or a live cluster',
    async () => (await import('./explain/verb.ts')).explain,
  ),
  lazily(
    'doctor',
    'a read-only audit of a live cluster or of files: what goes wrong beside Cluster Autoscaler, and what would',
    async () => (await import('./doctor/verb.ts')).doctor,
  ),
  lazily(
    'simulate',
    "hours of a cluster's life in seconds: cost, how long pods are pending, and disruptions; touches no cluster",
    async () => (await import('./simulate/verb.ts')).simulate,
  ),
  lazily(
    'report',
    'one page on what a cluster costs, what it would cost planned now, and why; only reads',
    async () => (await import('./report/verb.ts')).report,
  ),
  lazily(
    'record',
    'records what happens in a live cluster as a trace for kerf simulate; changes nothing in the cluster',
    async () => (await import('./record/verb.ts')).record,
  ),
  lazily(
    'pause',
    'no voluntary disruption of a NodePool, or of all, for a while; with an owner, and ended by itself',
    async () => (await import('./operations/verbs.ts')).pause,
  ),
  lazily(
    'cordon-pool',
    'no launches from a NodePool for a while; with an owner, and ended by itself',
    async () => (await import('./operations/verbs.ts')).cordonPool,
  ),
  lazily(
    'consolidate',
    'consolidate a NodePool, or all, without the wait of consolidateAfter',
    async () => (await import('./operations/verbs.ts')).consolidate,
  ),
  lazily(
    'resume',
    'ends what pause, cordon-pool and consolidate have begun',
    async () => (await import('./operations/verbs.ts')).resume,
  ),
  lazily(
    'observe',
    'what Kerf decided in observe mode, beside what the autoscaler that acts did; only reads',
    async () => (await import('./observe/verb.ts')).observe,
  ),
  lazily(
    'dashboard',
    'Headlamp with Kerf’s plugin in the browser, for any cluster with NodePools',
    async () => (await import('./dashboard/verb.ts')).dashboard,
  ),
  lazily('crds', 'print the CRDs, for kubectl apply', async () => (await import('./crds/verb.ts')).crds),
  ...providerVerbs.map(providerVerb),
  lazily(
    'migrate',
    "from Karpenter's old objects (v1alpha5, v1beta1) to v1, and from Cluster Autoscaler to NodePools, with a report of every field",
    async () => (await import('./migrate/verb.ts')).migrate,
  ),
  lazily(
    'new-provider',
    'write a provider to begin with into a checkout of Kerf',
    async () => (await import('./new-provider/verb.ts')).newProvider,
  ),
]
