import { InvariantError } from '@kerf/apis'
import { providerVerbs } from './provider-verbs.ts'
import type { Verb } from './verb.ts'

interface ListedVerb extends Verb {
  /** Loads the command from its own module. */
  load?(): Promise<Verb>
}

/** Returns a command that declares its flags only when it runs, because loading its modules takes longer than all of `kerf --help`. */
const lazily = (name: string, summary: string, load: () => Promise<Verb>): ListedVerb => ({
  name,
  summary,
  load,
  register: async (program) => (await load()).register(program),
})

/** Returns a command of a provider. It loads only the module of this provider's commands, not the descriptors. */
const providerVerb = ({ name, summary, load }: (typeof providerVerbs)[number]): ListedVerb =>
  lazily(name, summary, async () => {
    const [verbs, { verbTools }] = await Promise.all([load(), import('./verb-tools.ts')])
    const own = verbs.find((each) => each.name === name)
    if (own === undefined)
      throw new InvariantError(`provider-verbs.ts is out of date: no provider has the verb ${name}`)
    const build = await own.load(verbTools())
    return { name, summary, register: (program) => build(program.command(name).description(summary)) }
  })

/**
 * Every command, in the order of `kerf --help`. `verbs.test.ts` checks that names and summaries match those in the modules of the commands.
 */
export const verbs: readonly ListedVerb[] = [
  lazily(
    'up',
    'start a cluster with Kerf in this terminal and show how pods get their nodes',
    async () => (await import('./up/verb.ts')).up,
  ),
  lazily(
    'run',
    'run the autoscaler against a cluster, as the container image does',
    async () => (await import('./run/verb.ts')).run,
  ),
  lazily(
    'plan',
    'show which nodes Kerf would launch for pending pods, from files or a live cluster (read-only)',
    async () => (await import('./plan/verb.ts')).plan,
  ),
  lazily(
    'explain',
    'explain why a pod is pending or got its node, or why a node is kept, and what would change it (read-only)',
    async () => (await import('./explain/verb.ts')).explain,
  ),
  lazily(
    'policy',
    'show the policies of a cluster, what they do now, and what is wrong with them (read-only)',
    async () => (await import('./policy/verb.ts')).policy,
  ),
  lazily(
    'doctor',
    'audit a live cluster or files for problems, including conflicts with Cluster Autoscaler (read-only)',
    async () => (await import('./doctor/verb.ts')).doctor,
  ),
  lazily(
    'simulate',
    'simulate hours of cluster life in seconds: cost, pending time of pods, and disruptions; touches no cluster',
    async () => (await import('./simulate/verb.ts')).simulate,
  ),
  lazily(
    'report',
    'write a one-page report of what a cluster costs, what a new plan would cost, and why (read-only)',
    async () => (await import('./report/verb.ts')).report,
  ),
  lazily(
    'record',
    'record events of a live cluster as a trace for kerf simulate; changes nothing in the cluster',
    async () => (await import('./record/verb.ts')).record,
  ),
  lazily(
    'pause',
    'stop voluntary disruption of one NodePool, or of all, for a limited time',
    async () => (await import('./operations/verbs.ts')).pause,
  ),
  lazily(
    'cordon-pool',
    'stop launches from a NodePool for a limited time',
    async () => (await import('./operations/verbs.ts')).cordonPool,
  ),
  lazily(
    'consolidate',
    'consolidate one NodePool, or all, without waiting for consolidateAfter',
    async () => (await import('./operations/verbs.ts')).consolidate,
  ),
  lazily(
    'resume',
    'end a pause, a cordon or a consolidation before its time is up',
    async () => (await import('./operations/verbs.ts')).resume,
  ),
  lazily(
    'observe',
    'compare decisions of Kerf in observe mode with those of the active autoscaler (read-only)',
    async () => (await import('./observe/verb.ts')).observe,
  ),
  lazily(
    'dashboard',
    'open Headlamp with Kerf’s plugin in the browser, for any cluster with NodePools',
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
    'create a new provider from the example provider in a checkout of Kerf',
    async () => (await import('./new-provider/verb.ts')).newProvider,
  ),
]
