import { describe, expect, it } from 'vitest'
import { reportedErrors } from './acknowledgement-rules.ts'

const error_file = `<?xml version="1.0" encoding="UTF-8"?>
<ns3:FormBCTransmitterSubmissionDtl xmlns="urn:us:gov:treasury:irs:ext:aca:air:ty25"
  xmlns:ns2="urn:us:gov:treasury:irs:common"
  xmlns:ns3="urn:us:gov:treasury:irs:msg:form1094-1095BCtransmittermessage">
  <ACATransmitterSubmissionDetail>
    <TransmitterErrorDetailGrp>
      <SubmissionLevelStatusCd>Accepted with Errors</SubmissionLevelStatusCd>
      <UniqueSubmissionId>1095C-26-00001234|1</UniqueSubmissionId>
    </TransmitterErrorDetailGrp>
    <TransmitterErrorDetailGrp>
      <UniqueRecordId>1095C-26-00001234|1|RECORD</UniqueRecordId>
      <ns2:ErrorMessageDetail>
        <ns2:ErrorMessageCd>AIRTN500</ns2:ErrorMessageCd>
        <ns2:ErrorMessageTxt>TIN Validation Failed &amp; &#34;name&#x22;</ns2:ErrorMessageTxt>
      </ns2:ErrorMessageDetail>
    </TransmitterErrorDetailGrp>
    <TransmitterErrorDetailGrp>
      <UniqueSubmissionId>1095C-26-00001234|1</UniqueSubmissionId>
      <ns2:ErrorMessageDetail>
        <ns2:ErrorMessageCd>1094C-008</ns2:ErrorMessageCd>
        <ns2:ErrorMessageTxt>Wrong count</ns2:ErrorMessageTxt>
      </ns2:ErrorMessageDetail>
    </TransmitterErrorDetailGrp>
  </ACATransmitterSubmissionDetail>
</ns3:FormBCTransmitterSubmissionDtl>`

describe('the error file of an acknowledgement', () => {
  it('has the errors of forms and of the transmittal', () =>
    expect(reportedErrors(error_file)).toEqual([
      {
        unique_record_id: '1095C-26-00001234|1|RECORD',
        code: 'AIRTN500',
        message: 'TIN Validation Failed & "name"',
      },
      { unique_record_id: null, code: '1094C-008', message: 'Wrong count' },
    ]))

  it('has no characters that cannot be stored', () => {
    const detail = (text: string) =>
      `<ErrorMessageDetail><ErrorMessageCd>A&#0;B</ErrorMessageCd><ErrorMessageTxt>${text}</ErrorMessageTxt>
       </ErrorMessageDetail>`
    const texts = ['Null &#x0; and \0', 'Lone &#xD800;', 'Two\r\nlines', 'Beyond &#x110000;']
    const xml = `<FormBCTransmitterSubmissionDtl><TransmitterErrorDetailGrp>${texts.map(detail).join('')}
      </TransmitterErrorDetailGrp></FormBCTransmitterSubmissionDtl>`
    expect(reportedErrors(xml)!.map(({ code, message }) => [code, message])).toEqual([
      ['A B', 'Null   and'],
      ['A B', 'Lone \uFFFD'],
      ['A B', 'Two lines'],
      ['A B', 'Beyond &#x110000;'],
    ])
  })

  it('is distinguished from other texts', () => {
    for (const text of ['', '{}', '<FormBC/>']) expect(reportedErrors(text)).toBeUndefined()
    expect(reportedErrors('<FormBCTransmitterSubmissionDtl/>')).toEqual([])
  })
})
