import { ownField } from '@kerf/apis'
import { GoogleError } from './google-error.ts'

/**
 * The permission tests of Cloud Resource Manager and IAM (reference pages of `projects.testIamPermissions` and
 * `projects.serviceAccounts.testIamPermissions`). The caller has every permission that is not denied.
 */
export class FakeIam {
  readonly denied = new Set<string>()
  /** Whether the Cloud Resource Manager API is disabled in the project. It is disabled in new projects. */
  isDisabled = false

  /** Returns true if the path is one of the permission tests. */
  answers(path: string): boolean {
    return /^\/v1\/projects\/[^/]+(?:\/serviceAccounts\/[^/]+)?:testIamPermissions$/.test(path)
  }

  test(path: string, body: unknown): object {
    if (this.isDisabled && !path.includes('/serviceAccounts/'))
      throw new GoogleError(403, 'accessNotConfigured', 'Cloud Resource Manager API has not been used in project demo')
    const asked = ownField(body, 'permissions')
    if (!Array.isArray(asked) || asked.length > 100) throw new GoogleError(400, 'badRequest', 'permissions: 1 to 100')
    const permissions = asked.filter((name: unknown) => !this.denied.has(String(name)))
    return permissions.length === 0 ? {} : { permissions }
  }
}
