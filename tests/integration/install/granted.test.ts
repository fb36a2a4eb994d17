import { kinds } from '@kerf/apis'
import { may } from '@kerf/runtime'
import { expect, test } from 'vitest'
import type { AuditedRequest } from './audited-plane.ts'
import { allowedByOthers, forbidden, type Grant, unused } from './granted.ts'

const grant = (more: Partial<Grant> = {}): Grant => ({
  role: 'kerf',
  group: '',
  resource: 'pods',
  verb: 'patch',
  ...more,
})

const asked = (
  more: Partial<AuditedRequest> & { readonly role?: string; readonly decision?: string } = {},
): AuditedRequest => {
  const { role = 'kerf', decision = 'allow', ...rest } = more
  return {
    verb: 'patch',
    requestURI: '/api/v1/namespaces/web/pods/a',
    objectRef: { resource: 'pods', namespace: 'web', name: 'a' },
    annotations: {
      'authorization.k8s.io/decision': decision,
      'authorization.k8s.io/reason': `RBAC: allowed by ClusterRoleBinding "x" of ClusterRole "${role}" to ServiceAccount "k/s"`,
    },
    ...rest,
  }
}

test('a grant counts as used after a request with the same verb, resource, namespace and name', () => {
  const uses = (of: Grant, request: AuditedRequest): boolean => unused([of], [request], []).length === 0
  expect(uses(grant(), asked())).toBe(true)
  expect(uses(grant({ namespace: 'web', names: ['a'] }), asked())).toBe(true)
  expect(uses(grant({ verb: 'get' }), asked())).toBe(false)
  expect(uses(grant({ resource: 'pods/status' }), asked())).toBe(false)
  expect(uses(grant({ group: 'apps' }), asked())).toBe(false)
  expect(uses(grant({ namespace: 'other' }), asked())).toBe(false)
  expect(uses(grant({ names: ['b'] }), asked())).toBe(false)
  const status = asked({ objectRef: { resource: 'pods', subresource: 'status', namespace: 'web', name: 'a' } })
  expect(uses(grant({ resource: 'pods/status' }), status)).toBe(true)
  expect(uses(grant(), status)).toBe(false)
})

test('an unused grant is accepted only if its permission states a reason', () => {
  expect(unused([grant()], [], [])).toEqual(['kerf: patch pods'])
  expect(unused([grant()], [], [may(['patch'], kinds.Pod, 'x')])).toEqual(['kerf: patch pods'])
  expect(unused([grant()], [], [may(['patch'], kinds.Pod, 'x', { unseen: 'because' })])).toEqual([])
})

test('finds requests that were refused and requests that other roles allowed', () => {
  expect(forbidden([asked(), asked({ decision: 'forbid' })])).toEqual(['patch pods web'])
  const roles = new Set(['kerf'])
  expect(allowedByOthers([asked()], roles)).toEqual([])
  expect(allowedByOthers([asked({ role: 'view' })], roles)).toHaveLength(1)
  const { objectRef: _, ...discovery } = asked({ role: 'system:discovery', requestURI: '/apis' })
  expect(allowedByOthers([discovery], roles)).toEqual([])
})
