import { isNotFound, type KubeClient, textOfThrown } from '@kerf/runtime'
import { imagesStep } from '../../controllers/node-class/images-step.ts'
import { validationStep } from '../../controllers/node-class/validation-step.ts'
import type { ImageSources } from '../../images/image-sources.ts'
import { type GCENodeClass, gceNodeClassKind } from '../../node-class/gce-node-class.ts'
import { failed, type ProjectFinding, passed, refused, type Subject, skipped } from './finding.ts'

/** Resolves one node class in the same way as the controller. */
const classFinding = async (
  nodeClass: GCENodeClass,
  images: ImageSources,
  signal: AbortSignal,
): Promise<readonly ProjectFinding[]> => {
  const findings: ProjectFinding[] = []
  for (const step of [imagesStep(images), validationStep]) {
    const { condition: type } = step
    const subject: Subject = { check: `${type} would be True`, object: `GCENodeClass ${nodeClass.metadata.name}` }
    try {
      const { condition, status } = await step.run(nodeClass, signal)
      const found = status?.images?.map(({ sourceImage }) => sourceImage.split('/').at(-1)).join(', ')
      findings.push(
        condition?.status === 'True'
          ? passed(subject, found ?? 'nothing is wrong')
          : failed(subject, condition?.message ?? '', 'correct the field that the message names'),
      )
    } catch (error) {
      signal.throwIfAborted()
      findings.push(refused(subject, error, 'correct the field that the message names'))
    }
  }
  return findings
}

/** Resolves the node classes of the cluster, without writing their status. */
export const classFindings = async (
  client: KubeClient | undefined,
  images: ImageSources | undefined,
  signal: AbortSignal,
): Promise<readonly ProjectFinding[]> => {
  const subject: Subject = { check: 'the GCENodeClasses can be resolved', object: 'gcenodeclasses.karpenter.k8s.gcp' }
  if (client === undefined || images === undefined) return [skipped(subject, 'no cluster was specified')]
  try {
    const { items } = await client.list(gceNodeClassKind, { signal })
    if (items.length === 0) return [skipped(subject, 'there are none yet')]
    return (await Promise.all(items.map((each) => classFinding(each, images, signal)))).flat()
  } catch (error) {
    signal.throwIfAborted()
    // The CRD does not exist before the first installation.
    if (isNotFound(error)) return [skipped(subject, 'their CRD is not installed yet')]
    return [failed(subject, textOfThrown(error), 'check the kubeconfig and your read permissions')]
  }
}
