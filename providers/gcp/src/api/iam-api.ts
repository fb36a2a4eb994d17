import { ownField } from '@kerf/apis'
import type { HttpClient } from '@kerf/provider-kit'
import { asked } from './sdk-error.ts'

/** The client that tests which permissions the caller has. Only `kerf gcp verify` uses it. */
export interface IamApi {
  /** Returns the given permissions that the caller has in the project. */
  projectPermissions(permissions: readonly string[], signal: AbortSignal): Promise<readonly string[]>
  /** Returns the given permissions that the caller has on a service account. */
  accountPermissions(address: string, permissions: readonly string[], signal: AbortSignal): Promise<readonly string[]>
}

export interface IamOptions {
  readonly project: string
  /** The root URL of both services. The default is Google's. */
  readonly endpoint?: string
  readonly http: Pick<HttpClient, 'call'>
}

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []

/**
 * Returns a client that calls `testIamPermissions` of Cloud Resource Manager (v1) and of IAM (v1). Both methods are POST requests that
 * change nothing, so a failed call can be repeated.
 */
export const iamApi = ({ project, endpoint, http }: IamOptions): IamApi => {
  const test = (root: string, path: string, permissions: readonly string[], signal: AbortSignal) =>
    asked(async () => {
      const { text } = await http.call(
        {
          ...{ method: 'POST', isRepeatable: true, headers: { 'content-type': 'application/json' } },
          url: new URL(`${path}:testIamPermissions`, endpoint ?? root),
          body: JSON.stringify({ permissions }),
        },
        signal,
      )
      return textsIn(ownField(JSON.parse(text), 'permissions'))
    }, signal)
  return {
    projectPermissions: (permissions, signal) =>
      test('https://cloudresourcemanager.googleapis.com', `/v1/projects/${project}`, permissions, signal),
    accountPermissions: (address, permissions, signal) =>
      test(
        'https://iam.googleapis.com',
        `/v1/projects/-/serviceAccounts/${encodeURIComponent(address)}`,
        permissions,
        signal,
      ),
  }
}
