import type { Container, Deployment } from '@kerf/apis'

interface EnvironmentVariable {
  readonly name: string
  readonly value?: string
}

type ConfiguredContainer = Container & {
  readonly args?: readonly string[]
  readonly env?: readonly EnvironmentVariable[]
}

/**
 * Returns the value of a setting of a controller's Deployment, from a flag or an environment variable. Returns undefined if neither sets
 * it.
 */
export const controllerSetting = (deployment: Deployment, name: string): string | undefined => {
  const flag = `--${name.toLowerCase().replaceAll('_', '-')}`
  for (const { env = [], args = [] } of deployment.spec.template.spec.containers as readonly ConfiguredContainer[]) {
    const given = args.find((arg) => arg.startsWith(`${flag}=`))
    if (given !== undefined) return given.slice(flag.length + 1)
    const variable = env.find((each) => each.name === name)
    if (variable?.value !== undefined) return variable.value
  }
  return undefined
}
