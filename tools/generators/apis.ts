import { referencePages } from '@kerf/apis'
import { kindDescriptors, legacyTemplates } from '../../packages/cli/src/providers.ts'

/** Generates the reference pages of the custom resources. */
export const files = async (): Promise<{ path: string; content: string }[]> =>
  referencePages([...kindDescriptors, await legacyTemplates()]).map(({ fileName, markdown }) => ({
    path: `docs/reference/${fileName}`,
    content: markdown,
  }))
