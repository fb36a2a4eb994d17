import type { CheckResult } from '@kerf/provider-kit/terminal'
import { isNotFound, type KubeClient, textOfThrown } from '@kerf/runtime'
import type { BizflyApi } from '../../api/bizfly-api.ts'
import { classSteps, type NodeClassDeps } from '../../controllers/node-class-status.ts'
import { toStepCause } from '../../failures.ts'
import { METADATA } from '../../names.ts'
import { bizflyNodeClassKind } from '../../node-class/bizfly-node-class.ts'

/** The result of one check of an account. */
export type AccountFinding = CheckResult & { readonly object: string }

type Subject = Pick<AccountFinding, 'check' | 'object'>

export interface VerifyDeps extends NodeClassDeps {
  readonly clusterId: string
  /** The client of the cluster. Undefined if there is none. */
  readonly client: KubeClient | undefined
}

/** Returns the finding for a failed call, with the cause and the remedy of the failure. */
const failed = (subject: Subject, error: unknown): AccountFinding => ({
  ...{ ...subject, outcome: 'failed', seen: textOfThrown(error) },
  remedy: toStepCause(error)?.message.split('; ').at(-1) ?? 'try again in a minute',
})

const attempt = async (subject: Subject, signal: AbortSignal, run: () => Promise<string>): Promise<AccountFinding> => {
  try {
    return { ...subject, outcome: 'passed', seen: await run() }
  } catch (error) {
    signal.throwIfAborted()
    return failed(subject, error)
  }
}

/** Resolves the node classes of the cluster in the same way as the controller, without writing their status. */
const classFindings = async (deps: VerifyDeps, signal: AbortSignal): Promise<readonly AccountFinding[]> => {
  const { client } = deps
  const subject = { check: 'the BizflyCloudNodeClasses can be resolved', object: bizflyNodeClassKind.plural }
  if (client === undefined) return [{ ...subject, outcome: 'skipped', seen: 'no cluster was specified' }]
  try {
    const findings: AccountFinding[] = []
    for (const nodeClass of (await client.list(bizflyNodeClassKind, { signal })).items)
      for (const step of classSteps(deps)) {
        const own = {
          check: `${step.condition} would be True`,
          object: `BizflyCloudNodeClass ${nodeClass.metadata.name}`,
        }
        const found = await step.run(nodeClass, signal).catch((error: unknown) => {
          signal.throwIfAborted()
          return error
        })
        if (typeof found !== 'object' || found === null || !('condition' in found)) findings.push(failed(own, found))
        else {
          const { condition } = found as Awaited<ReturnType<typeof step.run>>
          const seen = condition?.message ?? 'nothing is wrong'
          findings.push(
            condition?.status === 'True'
              ? { ...own, outcome: 'passed', seen }
              : { ...own, outcome: 'failed', seen, remedy: 'correct the field that the message names' },
          )
        }
      }
    return findings.length > 0 ? findings : [{ ...subject, outcome: 'skipped', seen: 'there are none yet' }]
  } catch (error) {
    signal.throwIfAborted()
    // The CRD does not exist before the first installation.
    if (isNotFound(error)) return [{ ...subject, outcome: 'skipped', seen: 'their CRD is not installed yet' }]
    const remedy = 'check the kubeconfig and your read permissions'
    return [{ ...subject, outcome: 'failed', seen: textOfThrown(error), remedy }]
  }
}

const serverFinding = (api: BizflyApi, clusterId: string, signal: AbortSignal): Promise<AccountFinding> =>
  attempt({ check: 'the servers can be listed', object: `cluster ${clusterId}` }, signal, async () => {
    const servers = await api.servers(undefined, signal)
    const own = servers.filter(({ metadata }) => metadata?.[METADATA.cluster] === clusterId)
    return `${servers.length} in the project, ${own.length} of them in the cluster`
  })

/**
 * Checks whether an account has everything that Kerf needs, without changing anything.
 *
 * @throws the signal's reason
 */
export const verifyAccount = async (deps: VerifyDeps, signal: AbortSignal): Promise<readonly AccountFinding[]> => {
  const { api, flavors, images, region, clusterId, client } = deps
  const first = await attempt(
    { check: 'Bizfly Cloud accepts the credentials and has flavors', object: `region ${region}` },
    signal,
    async () => `${(await flavors.read(signal)).length} flavors that nodes can have`,
  )
  if (first.outcome === 'failed')
    return [
      first,
      {
        check: 'servers, images and node classes',
        object: 'the account',
        outcome: 'skipped',
        seen: 'the first check failed',
      },
    ]
  const image = { check: 'there is a worker image for the version of the cluster', object: `cluster ${clusterId}` }
  const imageFinding: AccountFinding =
    client === undefined
      ? { ...image, outcome: 'skipped', seen: 'no cluster was specified' }
      : await attempt(image, signal, async () => {
          const found = [
            (await images.find('ubuntu', signal)) ?? 'none',
            (await images.find('flatcar', signal)) ?? 'none',
          ]
          return `ubuntu: ${found[0]}, flatcar: ${found[1]}`
        })
  return [
    first,
    await serverFinding(api, clusterId, signal),
    imageFinding,
    ...(await classFindings(deps, signal)),
    {
      ...{ check: 'servers can be launched and deleted', object: `region ${region}`, outcome: 'skipped' },
      seen: 'only a launch shows it; Bizfly Cloud documents no permissions of single calls',
    },
  ]
}
