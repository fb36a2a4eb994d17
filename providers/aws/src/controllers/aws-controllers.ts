import type { InstanceView } from '@kerf/provider-contract'
import type { Controller } from '@kerf/runtime'
import type { AwsParts } from '../aws-parts.ts'

export const awsControllers = (
  _parts: AwsParts,
  _own: { readonly list: (signal: AbortSignal) => Promise<readonly InstanceView[]> },
): readonly Controller[] => []
