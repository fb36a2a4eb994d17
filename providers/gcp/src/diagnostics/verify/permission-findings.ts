import { textOfThrown } from '@kerf/runtime'
import type { IamApi } from '../../api/iam-api.ts'
import { ACT_AS, gcpCapabilities, neededPermissions } from '../../roles/needed-permissions.ts'
import { failed, type ProjectFinding, passed, type Subject, skipped } from './finding.ts'

const withoutThem = (missing: readonly string[]): string => {
  const needed = neededPermissions()
  const capabilities = new Set(missing.flatMap((name) => needed.get(name) ?? []))
  return [...capabilities].map((name) => gcpCapabilities[name]).join('; ')
}

/** Checks which of the role's permissions the caller has. The API for this check may be disabled in the project. */
export const roleFinding = async (iam: IamApi, project: string, signal: AbortSignal): Promise<ProjectFinding> => {
  const subject: Subject = { check: 'this identity has all permissions that Kerf needs', object: `project ${project}` }
  const needed = [...neededPermissions().keys()]
  try {
    const granted = new Set(await iam.projectPermissions(needed, signal))
    const missing = needed.filter((name) => !granted.has(name))
    return missing.length === 0
      ? passed(subject, `all ${needed.length}`)
      : failed(
          subject,
          `missing: ${missing.join(', ')}; without them Kerf cannot ${withoutThem(missing)}`,
          'give this identity the role that "kerf gcp roles" prints; a new binding takes some minutes',
        )
  } catch (error) {
    signal.throwIfAborted()
    return skipped(
      subject,
      `${textOfThrown(error)} Enable cloudresourcemanager.googleapis.com, or use "kerf gcp roles --check FILE"`,
    )
  }
}

/** Checks whether the caller may start instances with the service account of the nodes. */
export const actAsFinding = async (
  iam: IamApi,
  account: string | undefined,
  signal: AbortSignal,
): Promise<ProjectFinding> => {
  const check = 'instances may have the service account of the nodes'
  if (account === undefined)
    return failed(
      { check, object: 'the project' },
      'the project has no default service account',
      'set DEFAULT_NODEPOOL_SERVICE_ACCOUNT, or spec.serviceAccount of each GCENodeClass',
    )
  const subject: Subject = { check, object: `service account ${account}` }
  try {
    const granted = await iam.accountPermissions(account, [ACT_AS.permission], signal)
    return granted.length > 0
      ? passed(subject, ACT_AS.permission)
      : failed(subject, `${ACT_AS.permission} is missing`, `bind ${ACT_AS.role} on it; "kerf gcp roles" prints how`)
  } catch (error) {
    signal.throwIfAborted()
    return skipped(subject, `${textOfThrown(error)} Enable iam.googleapis.com, or look at its bindings`)
  }
}
