import { type Container, type Deployment, kinds } from '@kerf/apis'
import type { ObjectsByKind } from './objects-by-kind.ts'

interface EnvironmentVariable {
  readonly name: string
  readonly value?: string
}

type ConfiguredContainer = Container & {
  readonly args?: readonly string[]
  readonly env?: readonly EnvironmentVariable[]
}

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

/** Returns a setting of the Deployment, from a flag or an environment variable. Returns undefined if neither sets it. */
export const settingOf = (deployment: Deployment, name: string): string | undefined => {
  const flag = `--${name.toLowerCase().replaceAll('_', '-')}`
  for (const { env = [], args = [] } of deployment.spec.template.spec.containers as readonly ConfiguredContainer[]) {
    const given = args.find((arg) => arg.startsWith(`${flag}=`))
    if (given !== undefined) return given.slice(flag.length + 1)
    const variable = env.find((each) => each.name === name)
    if (variable?.value !== undefined) return variable.value
  }
  return undefined
}

/** Returns whether the Deployment enables a feature gate. A gate that it does not name counts as disabled. */
export const isGateOn = (deployment: Deployment, gate: string): boolean =>
  (settingOf(deployment, 'FEATURE_GATES') ?? '')
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .includes(`${gate.toLowerCase()}=true`)
