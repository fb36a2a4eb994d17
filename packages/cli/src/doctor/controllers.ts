import { type Deployment, kinds } from '@kerf/apis'
import { controllerSetting } from '@kerf/provider-kit/doctor'
import type { ObjectsByKind } from './objects-by-kind.ts'

/** Returns whether the Deployment has the chart's name label, or the image of Kerf's or Karpenter's controller. */
const isController = ({ metadata, spec }: Deployment): boolean => {
  const name = metadata.labels?.['app.kubernetes.io/name']
  if (name === 'karpenter' || name === 'kerf') return true
  return (spec?.template?.spec?.containers ?? []).some(({ image = '' }) =>
    /(^|\/)(karpenter|kerf)\/(controller|kerf)([:@]|$)/.test(image),
  )
}

/** Returns the Deployments that run Kerf or another Karpenter implementation. */
export const findControllers = (objects: ObjectsByKind): readonly Deployment[] =>
  objects.of(kinds.Deployment).filter(isController)

/** Returns whether the Deployment enables a feature gate. A gate that its settings do not mention counts as disabled. */
export const isGateOn = (deployment: Deployment, gate: string): boolean =>
  (controllerSetting(deployment, 'FEATURE_GATES') ?? '')
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .includes(`${gate.toLowerCase()}=true`)
