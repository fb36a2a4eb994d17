import type { KubeObject } from '@kerf/apis'
import type { WriteRequest } from '../api/request.ts'
import type { Resource } from '../api/resource.ts'
import type { JsonObject } from '../store/json.ts'

export const recordOwnership = (
  _resource: Resource,
  _before: KubeObject | undefined,
  _draft: JsonObject,
  _request: WriteRequest,
  _subresource: string | undefined,
  _now: number,
): void => {}
