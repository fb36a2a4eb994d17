import { connect } from 'node:net'
import { reportBorrowed } from './borrowed.ts'
import type { Loan, LoanResponse } from './loan-server.ts'

/**
 * Borrows a resource from the socket at `path`, and waits while all are in use. Adds its processes to the costs of the test
 * file. Rejects with the reason of the lender.
 */
export const borrow = <Access extends { readonly processes: readonly number[] }>(path: string): Promise<Loan<Access>> =>
  new Promise((resolve, reject) => {
    const socket = connect(path)
    let said = ''
    socket.setEncoding('utf8')
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`the lender at ${path} hung up`)))
    socket.on('data', (text: string) => {
      said += text
      const end = said.indexOf('\n')
      if (end < 0) return
      const response = JSON.parse(said.slice(0, end)) as LoanResponse<Access>
      if (!response.ok) {
        reject(new Error(response.error))
        return
      }
      reportBorrowed(response.access.processes)
      resolve({ access: response.access, giveBack: () => socket.destroy() })
    })
  })
