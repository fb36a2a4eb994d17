import type { VerifyProcess } from '@kerf/provider-kit/command-line'
import { silentLogger } from '@kerf/runtime'
import { connectOci } from '../../api/connect-oci.ts'
import { connectPriceList } from '../../prices/connect-price-list.ts'
import { ociAccess } from '../../settings/oci-options.ts'
import type { OciSettings } from '../../settings/oci-settings.ts'
import type { VerifyConnection } from './run-verify.ts'

/** Connects to Oracle Cloud with the credentials of the environment, and to its price list. */
export const verifyConnection = async (settings: OciSettings, process: VerifyProcess): Promise<VerifyConnection> => ({
  ...(await connectOci(await ociAccess(settings), { ...process, log: silentLogger })),
  readPrices: connectPriceList(settings, process),
})
