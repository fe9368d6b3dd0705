def _part(tools, item_type, word, status):
    """The part of a thing on loan whose name contains the word and that is in this state, with its loan."""
    for loan in tools.list_loans(status="on_loan")["loans"]:
        if loan["item_type_name"] == item_type:
            for part in tools.get_item(item_id=loan["item_id"])["parts"]:
                if word in part["name"] and part["status"] == status:
                    if status == "with_item" or part["lost_on"].startswith("2026-05"):
                        return part


def solve(tools):
    footrest = _part(tools, "wheelchair", "footrest", "with_item")
    lost = tools.report_part_lost(item_part_id=footrest["item_part_id"])
    household_id = lost["fee"]["household_id"]
    handset = _part(tools, "bed", "handset", "lost")
    tools.report_part_found(item_part_id=handset["item_part_id"])
    owed = tools.get_household_account(household_id=household_id)["owed_cents"]
    message = "The footrest is recorded as lost and the handset as found."
    if owed == 0:
        message += " Nothing is owed any more."
    elif owed <= 6000:
        fees = tools.list_fees(household_id=household_id, status="open")["fees"]
        payment = tools.send_payment(household_id=household_id, amount_cents=owed)
        tools.settle_fees(payment_id=payment["payment_id"], fee_ids=[fee["fee_id"] for fee in fees])
        message += f" The ${owed / 100:.2f} that was still owed is paid."
    else:
        message += f" ${owed / 100:.2f} is still owed, more than $60, so nothing is paid."
    return {"outcome": "done", "answers": {}, "reason": None, "message": message}
