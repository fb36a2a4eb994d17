import { readPages } from '@kerf/provider-kit'

/** The size of a page. The API takes up to 1,000 for most lists. */
const PAGE = 1_000

/** A page of a list, as the SDK returns it. */
interface SdkPage<T> {
  readonly items?: readonly T[]
  readonly opcNextPage?: string
}

/** Returns all items of a list. `read` gets the parameters of a page. */
export const allItems = <T>(
  read: (page: { readonly limit: number; readonly page?: string }) => Promise<SdkPage<T>>,
  limit = PAGE,
): Promise<readonly T[]> =>
  readPages<T, string>(async (token) => {
    const { items = [], opcNextPage } = await read({ limit, ...(token === undefined ? {} : { page: token }) })
    return { items, next: opcNextPage === '' ? undefined : opcNextPage }
  })
