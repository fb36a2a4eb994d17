import { referencePages } from '@kerf/apis'

/** The reference pages of the custom resources. */
export const files = async (): Promise<{ path: string; content: string }[]> =>
  referencePages().map(({ fileName, markdown }) => ({ path: `docs/reference/${fileName}`, content: markdown }))
