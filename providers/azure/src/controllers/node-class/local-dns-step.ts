import { type KubeClient, textOfThrown } from '@kerf/runtime'
import { compareKubernetesVersions } from '../../discovery/kubernetes-version.ts'
import { foreignPolicy, hasNodeLocalDns } from '../../discovery/network-policies.ts'
import { resolvedFamily } from '../../images/image-family.ts'
import { classTraits } from '../../instance-type/class-traits.ts'
import type { AKSNodeClass, AKSNodeClassStatus } from '../../node-class/aks-node-class.ts'
import type { AzureSettings } from '../../settings/azure-settings.ts'
import { bad, good, MINUTE, type Step, type StepResult } from './step.ts'

const TYPE = 'LocalDNSReady'
const AGAIN = 5 * MINUTE
/**
 * From this Kubernetes version on, AKS treats `Preferred` as enabled. The real version is not known yet, so upstream uses one that will
 * never exist.
 */
const LOCAL_DNS_PREFERRED_FROM = '1.99.0'

type State = NonNullable<AKSNodeClassStatus['localDNSState']>

export interface LocalDnsDeps {
  readonly client: KubeClient
  readonly settings: Pick<AzureSettings, 'networkPlugin' | 'networkPluginMode' | 'networkPolicy'>
  readonly preferredFrom?: string
}

const decided = (localDNSState: State, again?: number): StepResult => ({
  ...{ status: { localDNSState }, condition: good(TYPE) },
  ...(again === undefined ? {} : { again }),
})

/**
 * Determines whether new nodes run their own DNS server (`providers/azure/docs/spec/azure.md#nodeclass-controllers`). In the mode
 * `Preferred`, a DNS server that is already enabled stays enabled. Otherwise nodes would drift whenever a user adds a network policy.
 */
export const localDnsStep = ({ client, settings, preferredFrom = LOCAL_DNS_PREFERRED_FROM }: LocalDnsDeps): Step => {
  const isPossible = async (nodeClass: AKSNodeClass, signal: AbortSignal): Promise<boolean> => {
    const version = nodeClass.status?.kubernetesVersion ?? ''
    if ((compareKubernetesVersions(version, preferredFrom) ?? -1) < 0) return false
    if (settings.networkPlugin === 'none') return false
    if (resolvedFamily(classTraits(nodeClass, settings), version) === 'Ubuntu2004') return false
    const hasPolicies = settings.networkPolicy === 'cilium' || settings.networkPolicy === 'calico'
    if (hasPolicies && (await foreignPolicy(client, signal)) !== undefined) return false
    return !(await hasNodeLocalDns(client, signal))
  }

  return {
    condition: TYPE,
    run: async (nodeClass, signal) => {
      switch (nodeClass.spec?.localDNS?.mode) {
        case undefined:
        case 'Disabled':
          return decided('Disabled')
        case 'Required':
          return decided('Enabled')
        case 'Preferred':
          if (nodeClass.status?.localDNSState === 'Enabled') return decided('Enabled')
          try {
            return (await isPossible(nodeClass, signal)) ? decided('Enabled') : decided('Disabled', AGAIN)
          } catch (error) {
            signal.throwIfAborted()
            return {
              condition: bad(
                TYPE,
                'CheckingClusterRequirementsFailed',
                `it is unknown whether nodes can have LocalDNS: ${textOfThrown(error)}`,
              ),
              error,
            }
          }
      }
    },
  }
}
