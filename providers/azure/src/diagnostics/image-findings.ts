import type { Clock } from '@kerf/runtime'
import type { ImageApi } from '../api/azure-api.ts'
import { ImageVersions } from '../discovery/image-versions.ts'
import type { ImageQuestion } from '../images/image-family.ts'
import { resolvedFamily } from '../images/image-family.ts'
import { imageGallery } from '../images/image-version.ts'
import { classTraits } from '../instance-type/class-traits.ts'
import type { AKSNodeClass } from '../node-class/aks-node-class.ts'
import type { AzureSettings } from '../settings/azure-settings.ts'
import { failed, passed, refused, type SubscriptionFinding } from './finding.ts'

/** The image properties that are assumed if no node class is known. They are the defaults of a node class. */
const USUAL: ImageQuestion = { imageFamily: 'Ubuntu', fips: false, trustedLaunch: false }

const questionsOf = (classes: readonly AKSNodeClass[], settings: AzureSettings): readonly ImageQuestion[] => {
  const questions = classes.map((each): ImageQuestion => {
    const { imageFamily, fips, trustedLaunch } = classTraits(each, settings)
    return { imageFamily, fips, trustedLaunch }
  })
  const distinct = new Map(questions.map((each) => [JSON.stringify(each), each]))
  return distinct.size === 0 ? [USUAL] : [...distinct.values()]
}

const last = (id: string): string => id.split('/').slice(-3).join('/')

/** Checks whether images for the node classes exist for the Kubernetes version. */
export const imageFindings = (
  deps: { readonly images: ImageApi; readonly clock: Clock },
  settings: AzureSettings,
  cluster: { readonly classes: readonly AKSNodeClass[]; readonly version: string },
  signal: AbortSignal,
): Promise<readonly SubscriptionFinding[]> => {
  const versions = new ImageVersions(deps.images, deps.clock, settings)
  return Promise.all(
    questionsOf(cluster.classes, settings).map(async (question) => {
      const family = resolvedFamily(question, cluster.version)
      const gallery = imageGallery(family)
      const { name, publicName } = gallery
      const object = `gallery ${settings.useSIG ? name : publicName}`
      const subject = { check: `images of ${family} can be found`, object }
      try {
        const found = await versions.find(question, cluster.version, signal)
        if (found.length > 0) return passed(subject, found.map(({ id }) => last(id)).join(', '))
        return failed(
          subject,
          `none in ${settings.azureLocation}`,
          'choose another spec.imageFamily; FIPS images exist only in the shared galleries, which USE_SIG=true selects',
        )
      } catch (error) {
        signal.throwIfAborted()
        return refused(subject, error, 'check LOCATION; every location with AKS has the galleries of AKS')
      }
    }),
  )
}
