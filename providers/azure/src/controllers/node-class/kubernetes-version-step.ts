import { compareKubernetesVersions, type KubernetesVersion } from '../../discovery/kubernetes-version.ts'
import { bad, good, MINUTE, type Step } from './step.ts'

const TYPE = 'KubernetesVersionReady'

/**
 * Resolves the Kubernetes version of new nodes (`providers/azure/docs/spec/azure.md#nodeclass-controllers`). The version never decreases.
 * If it increases, the step invalidates the images even outside the maintenance window, because nodes with the old version would not match
 * the node class.
 */
export const kubernetesVersionStep = (version: KubernetesVersion): Step => ({
  condition: TYPE,
  run: async ({ status = {} }, signal) => {
    const current = await version.read(signal)
    const known = status.kubernetesVersion ?? ''
    const again = 15 * MINUTE
    if (known === '') return { status: { kubernetesVersion: current }, condition: good(TYPE), again }
    if ((compareKubernetesVersions(current, known) ?? 1) <= 0) return { condition: good(TYPE), again }
    return {
      status: { kubernetesVersion: current },
      condition: good(TYPE),
      invalidates: [
        bad(
          'ImagesReady',
          'KubernetesUpgrade',
          `Kubernetes was upgraded from ${known} to ${current}: looking up images for it`,
        ),
      ],
      again,
    }
  },
})
