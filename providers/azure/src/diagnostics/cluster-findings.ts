import { type Clock, isNotFound, type KubeClient, textOfThrown } from '@kerf/runtime'
import { KubernetesVersion } from '../discovery/kubernetes-version.ts'
import { readMaintenanceWindow } from '../discovery/maintenance-window.ts'
import { type AKSNodeClass, aksNodeClassKind } from '../node-class/aks-node-class.ts'
import { failed, passed, type Subject, type SubscriptionFinding, warned } from './finding.ts'

/** The facts of the cluster for which the command checks the subscription. */
export interface ClusterView {
  /** Empty if unknown. */
  readonly version: string
  readonly classes: readonly AKSNodeClass[]
  readonly findings: readonly SubscriptionFinding[]
}

const REACH = 'check the kubeconfig ("az aks get-credentials") and your read permissions'

const windowFinding = async (
  client: KubeClient,
  namespace: string,
  now: number,
  signal: AbortSignal,
): Promise<SubscriptionFinding> => {
  const subject: Subject = {
    check: 'the maintenance window for node images is valid',
    object: `ConfigMap ${namespace}/upcoming-maintenance-window`,
  }
  try {
    const window = await readMaintenanceWindow(client, namespace, now, signal)
    switch (window.kind) {
      case 'none':
        return passed(subject, 'there is none: node images can be replaced at any time')
      case 'open':
        return passed(subject, 'it is open')
      case 'closed': {
        const times = `${window.start} to ${window.end}`
        return Date.parse(window.end) <= now
          ? warned(
              subject,
              `the last one was ${times}, and AKS has not written the next: images are not replaced`,
              'check the schedule: "az aks maintenanceconfiguration show --name aksManagedNodeOSUpgradeSchedule"',
            )
          : passed(subject, `the next one is ${times}: images are not replaced before`)
      }
      case 'unreadable':
        return failed(subject, window.problem, 'correct the ConfigMap; until then no image is replaced')
    }
  } catch (error) {
    signal.throwIfAborted()
    return failed(subject, textOfThrown(error), REACH)
  }
}

const versionOf = async (
  client: KubeClient,
  clock: Clock,
  signal: AbortSignal,
): Promise<{ readonly version: string; readonly finding: SubscriptionFinding }> => {
  const subject: Subject = { check: 'the cluster reports its Kubernetes version', object: 'GET /version' }
  try {
    const version = await new KubernetesVersion(client, clock).read(signal)
    return { version, finding: passed(subject, version) }
  } catch (error) {
    signal.throwIfAborted()
    return { version: '', finding: failed(subject, textOfThrown(error), REACH) }
  }
}

const classesOf = async (
  client: KubeClient,
  signal: AbortSignal,
): Promise<{ readonly classes: readonly AKSNodeClass[]; readonly findings: readonly SubscriptionFinding[] }> => {
  try {
    return { classes: (await client.list(aksNodeClassKind, { signal })).items, findings: [] }
  } catch (error) {
    signal.throwIfAborted()
    // The CRD does not exist before the first installation.
    if (isNotFound(error)) return { classes: [], findings: [] }
    const subject: Subject = { check: 'the AKSNodeClasses can be read', object: 'aksnodeclasses.karpenter.azure.com' }
    return { classes: [], findings: [failed(subject, textOfThrown(error), REACH)] }
  }
}

/** Reads the cluster: its version, its node classes, and the maintenance window for images. */
export const readCluster = async (
  client: KubeClient,
  { clock, namespace }: { readonly clock: Clock; readonly namespace: string },
  signal: AbortSignal,
): Promise<ClusterView> => {
  const [{ version, finding }, { classes, findings }, window] = await Promise.all([
    versionOf(client, clock, signal),
    classesOf(client, signal),
    windowFinding(client, namespace, clock.now(), signal),
  ])
  return { version, classes, findings: [finding, ...findings, window] }
}
