import { type ControlPlane, findComponents, startControlPlane } from '@kerf/control-plane'
import { afterAll, beforeAll, describe } from 'vitest'
import { missingFiles } from './definitions.ts'

const missing = (): string | undefined => {
  const components = findComponents()
  if ('missing' in components) return `no ${components.missing.join(', ')}; run "node test/cluster/build.ts"`
  const [file] = missingFiles()
  return file === undefined ? undefined : `no ${file}; run "node test/cluster-api/build.ts"`
}

/**
 * A suite against a real control plane of its own, which checks roles, with the managers of Cluster API. Without their programs
 * it is skipped, and the reason stands in its name.
 * @param define gets a function that returns the control plane; call it inside tests and hooks only
 */
export const describeOnClusterApi = (name: string, define: (plane: () => ControlPlane) => void): void => {
  const why = missing()
  if (why !== undefined) {
    describe.skip(`${name} (skipped: ${why})`, () =>
      define(() => {
        throw new Error(why)
      }))
    return
  }
  // Its tests share one cluster and go on from each other: a second try of one of them would meet what the first has left.
  describe(name, { retry: 0 }, () => {
    let plane: ControlPlane | undefined
    beforeAll(async () => {
      plane = await startControlPlane({ rbac: true })
    })
    afterAll(() => plane?.stop())
    define(() => {
      if (plane === undefined) throw new Error('the control plane is there inside tests and hooks only')
      return plane
    })
  })
}
