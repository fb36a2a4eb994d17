import { type ControlPlane, findComponents, startControlPlane } from '@kerf/control-plane'
import { afterAll, beforeAll, describe } from 'vitest'
import { missingFiles } from './definitions.ts'

const missing = (): string | undefined => {
  const components = findComponents()
  if ('missing' in components)
    return `no ${components.missing.join(', ')}; run "node tests/support/control-plane/build.ts"`
  const [file] = missingFiles()
  return file === undefined ? undefined : `no ${file}; run "node providers/cluster-api/tests/build.ts"`
}

/**
 * Defines a suite on a separate real control plane that checks roles, with the managers of Cluster API. If programs are missing, the suite
 * is skipped, and its name contains the reason.
 * @param define gets a function that returns the control plane; call it only inside tests and hooks
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
  // The tests share one cluster and depend on each other, so a retry of one test would see the changes of its first attempt.
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
