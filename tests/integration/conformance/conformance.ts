import { describe } from 'vitest'
import { admission } from './suite/admission.ts'
import { applying } from './suite/applying.ts'
import { caseTable } from './suite/case-table.ts'
import { customResources } from './suite/custom-resources.ts'
import { defaults } from './suite/defaults.ts'
import { deleting } from './suite/deleting.ts'
import { housekeeping } from './suite/housekeeping.ts'
import { listing } from './suite/listing.ts'
import { objects } from './suite/objects.ts'
import { patching } from './suite/patching.ts'
import { protocol } from './suite/protocol.ts'
import { subresources } from './suite/subresources.ts'
import { tables } from './suite/tables.ts'
import { validation } from './suite/validation.ts'
import { watching } from './suite/watching.ts'
import { workloads } from './suite/workloads.ts'
import type { ConformanceTarget } from './target.ts'

/**
 * Defines what an API must do so that Kerf and kubectl work with it as with Kubernetes. The real API server is correct by definition, and
 * the sandbox must pass the same assertions. Tests that need HTTP run only for targets that are served over HTTP. The long table of
 * Karpenter's kinds also runs only there, because its results do not depend on the client.
 */
export const defineConformance = (name: string, target: ConformanceTarget): void => {
  describe(name, () => {
    objects(target)
    listing(target)
    patching(target)
    applying(target)
    deleting(target)
    watching(target)
    subresources(target)
    defaults(target)
    validation(target)
    admission(target)
    housekeeping(target)
    customResources(target)
    workloads(target)
    if (target.http !== undefined) {
      protocol(target, target.http)
      tables(target, target.http)
      caseTable(target)
    }
  })
}
