import type { Rendered } from './helm.ts'

interface EnvEntry {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: object
}

interface DeploymentSpec {
  readonly replicas: number
  readonly selector: { readonly matchLabels: Readonly<Record<string, string>> }
  readonly template: {
    readonly metadata: { readonly labels: Readonly<Record<string, string>> }
    readonly spec: {
      readonly containers: readonly {
        readonly name: string
        readonly image: string
        readonly env: readonly EnvEntry[]
        readonly resources?: object
      }[]
      readonly affinity?: Readonly<Record<string, unknown>>
      readonly topologySpreadConstraints?: readonly Readonly<Record<string, unknown>>[]
      readonly tolerations?: readonly Readonly<Record<string, unknown>>[]
      readonly serviceAccountName: string
    }
  }
}

/** Returns the spec of a rendered Deployment. */
export const deploymentSpec = (deployment: Rendered): DeploymentSpec => deployment.spec as unknown as DeploymentSpec

/** Returns the environment of the controller's process. `fields` contains the values that the kubelet fills in. */
export const chartEnvironment = (
  deployment: Rendered,
  fields: Readonly<Record<string, string>> = {
    SYSTEM_NAMESPACE: 'kube-system',
    CPU_REQUESTS: '1000',
    MEMORY_LIMIT: '1073741824',
  },
): Readonly<Record<string, string>> => {
  const env: Record<string, string> = {}
  // A kubelet replaces $(NAME) by the value of a variable that is defined earlier.
  const expanded = (value: string): string => value.replaceAll(/\$\((\w+)\)/g, (all, name: string) => env[name] ?? all)
  for (const { name, value, valueFrom } of deploymentSpec(deployment).template.spec.containers[0]?.env ?? [])
    env[name] = valueFrom === undefined ? expanded(value ?? '') : (fields[name] ?? '')
  return env
}
