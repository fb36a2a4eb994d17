import type { Step } from './hour.ts'

const TYPES_KUBECTL = /(?:^|[|&;]\s*)kubectl\b/

/** Returns the steps that need kubectl: those that type it, and those that use a variable saved by such a step. */
export const stepsWithKubectl = (steps: readonly Step[]): ReadonlySet<Step> => {
  const found = new Set<Step>()
  const variables = new Set<string>()
  for (const step of steps) {
    const { types = '', saves = {} } = step
    const used = types.matchAll(/\$(\w+)/g).map(([, name = '']) => name)
    if (!TYPES_KUBECTL.test(types) && !used.some((name) => variables.has(name))) continue
    found.add(step)
    for (const name of Object.keys(saves)) variables.add(name)
  }
  return found
}
