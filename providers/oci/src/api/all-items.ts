import { readPages } from '@kerf/provider-kit'

/** The page size. Most lists allow up to 1,000 items per page. */
const PAGE = 1_000

/** A page of a list, in the SDK's format. */
interface SdkPage<T> {
  readonly items?: readonly T[]
  readonly opcNextPage?: string
}

/** Returns all items of a list. `read` receives the parameters for a page. */
export const allItems = <T>(
  read: (page: { readonly limit: number; readonly page?: string }) => Promise<SdkPage<T>>,
  limit = PAGE,
): Promise<readonly T[]> =>
  readPages<T, string>(async (token) => {
    const { items = [], opcNextPage } = await read({ limit, ...(token === undefined ? {} : { page: token }) })
    return { items, next: opcNextPage === '' ? undefined : opcNextPage }
  })
