import type { KubeObject } from '@kerf/apis'
import type { Resource } from '../../api/resource.ts'
import { cloneObject, type JsonObject } from '../../store/json.ts'
import { applyMergePatch } from '../merge-patch.ts'

export interface Application {
  readonly manager: string
  readonly force: boolean
  readonly now: number
  readonly subresource: string | undefined
}

export const applyConfiguration = (
  _resource: Resource,
  before: KubeObject | undefined,
  body: JsonObject,
  _application: Application,
): JsonObject => (before === undefined ? body : applyMergePatch(cloneObject(before), body))
