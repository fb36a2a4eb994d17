import { isNotFound, type KubeClient, textOfThrown } from '@kerf/runtime'
import type { AlibabaApi, DescribedVSwitch } from '../../api/actions.ts'
import { imagesStep } from '../../controllers/node-class/images-step.ts'
import { securityGroupStep } from '../../controllers/node-class/security-group-step.ts'
import { validationStep } from '../../controllers/node-class/validation-step.ts'
import { vSwitchStep } from '../../controllers/node-class/vswitch-step.ts'
import type { ClusterFacts } from '../../discovery/cluster-facts.ts'
import { type ECSNodeClass, ecsNodeClassKind } from '../../node-class/ecs-node-class.ts'
import { type AccountFinding, failed, passed, refused, type Subject, skipped, warned } from './finding.ts'

/** The check warns if a vSwitch has fewer free addresses than this. With Terway, a node needs one address per pod. */
const FEW = 30

const addressFinding = (name: string, vSwitches: readonly DescribedVSwitch[]): AccountFinding => {
  const subject = { check: 'the vSwitches have free addresses', object: `ECSNodeClass ${name}` }
  const counts = vSwitches.map(({ VSwitchId, AvailableIpAddressCount: free }) => ({ id: VSwitchId, free: free ?? 0 }))
  const seen = counts.map(({ id, free }) => `${free} in ${id}`).join(', ')
  return counts.some(({ free }) => free < FEW)
    ? warned(subject, seen, 'add a larger vSwitch to spec.vSwitchSelectorTerms')
    : passed(subject, seen)
}

/** Resolves one node class in the same way as the controller. */
const classFinding = async (
  nodeClass: ECSNodeClass,
  { api, region, cluster }: { readonly api: AlibabaApi; readonly region: string; readonly cluster: ClusterFacts },
  signal: AbortSignal,
): Promise<readonly AccountFinding[]> => {
  const { name } = nodeClass.metadata
  const described: DescribedVSwitch[] = []
  const steps = [
    vSwitchStep({ api, region }, { learn: (vSwitches) => void described.push(...vSwitches) }),
    securityGroupStep({ api, region }),
    imagesStep({ api, region, cluster }),
    validationStep(),
  ]
  const findings: AccountFinding[] = []
  for (const step of steps) {
    const subject: Subject = { check: `${step.condition} would be True`, object: `ECSNodeClass ${name}` }
    try {
      const { condition } = await step.run(nodeClass, signal)
      const message = condition?.message ?? ''
      findings.push(
        condition?.status === 'True'
          ? passed(subject, message === '' ? 'nothing is wrong' : message)
          : failed(subject, message, 'correct the field that the message names'),
      )
    } catch (error) {
      signal.throwIfAborted()
      findings.push(refused(subject, error, 'correct the field that the message names'))
    }
  }
  return described.length === 0 ? findings : [...findings, addressFinding(name, described)]
}

/** Resolves the node classes of the cluster, without writing their status. */
export const classFindings = async (
  {
    client,
    cluster,
    ...deps
  }: {
    readonly api: AlibabaApi
    readonly region: string
    readonly client: KubeClient | undefined
    readonly cluster: ClusterFacts | undefined
  },
  signal: AbortSignal,
): Promise<readonly AccountFinding[]> => {
  const subject: Subject = {
    check: 'the ECSNodeClasses can be resolved',
    object: 'ecsnodeclasses.karpenter.k8s.alibabacloud',
  }
  if (client === undefined || cluster === undefined) return [skipped(subject, 'no cluster was specified')]
  try {
    const { items } = await client.list(ecsNodeClassKind, { signal })
    if (items.length === 0) return [skipped(subject, 'there are none yet')]
    const found = await Promise.all(items.map((each) => classFinding(each, { ...deps, cluster }, signal)))
    return found.flat()
  } catch (error) {
    signal.throwIfAborted()
    // The CRD does not exist before the first installation.
    if (isNotFound(error)) return [skipped(subject, 'their CRD is not installed yet')]
    return [failed(subject, textOfThrown(error), 'check the kubeconfig and your read permissions')]
  }
}
